import { nearest, readEnvironment } from '../environment.ts'
import { exitCodeOf } from '../observe/away.ts'
import { describeVersion } from '../observe/version.ts'
import { type Called, Misused, type Output } from './output.ts'

type Command = {
  usage: readonly string[]
  does: string
  /** The options that are followed by a value. */
  options?: readonly string[]
  /** Loads its parts when it runs, as each command needs others. `undefined`: the process goes on. */
  run: (called: Called) => Promise<number | undefined>
}

const commands: Readonly<Record<string, Command>> = {
  start: {
    usage: ['start'],
    does: 'runs the bot',
    async run({ args, env }) {
      if (args.length > 0) throw new Misused('too many arguments')
      const { start } = await import('../start.ts')
      await start(env)
      return undefined
    },
  },
  check: {
    usage: ['check'],
    does: 'tries every setting and says what to do; changes nothing',
    async run(called) {
      if (called.args.length > 0) throw new Misused('too many arguments')
      return (await import('./run-check.ts')).runCheck(called)
    },
  },
  link: {
    usage: [
      'link record <uuid> [external id]',
      'link roadmap <uuid>',
      'link --csv <file> [--out <table.csv>]',
    ],
    does: 'makes a link with its QR code, or the invitations of a file of lines as a table',
    options: ['csv', 'out'],
    run: async (called) => (await import('./run-link.ts')).runLink(called),
  },
  backup: {
    usage: ['backup <folder>'],
    does: 'puts a sealed copy of the store there while the bot runs, and opens it with the key',
    run: async (called) => (await import('./run-backup.ts')).runBackup(called),
  },
  restore: {
    usage: ['restore <file>'],
    does: 'puts a copy in the place of the store; the bot is stopped meanwhile',
    run: async (called) => (await import('./run-backup.ts')).runRestore(called),
  },
  stuck: {
    usage: ['stuck', 'stuck repeat <number>…|all', 'stuck drop <number>…|all'],
    does: 'lists what failed for good and was set aside; hands it out again, or drops it',
    run: async (called) => (await import('./run-stuck.ts')).runStuck(called),
  },
  trace: {
    usage: ['trace record <uuid>', 'trace roadmap <uuid>'],
    does: 'says by which trace the log tells of whoever has it',
    run: async (called) => (await import('./run-trace.ts')).runTrace(called),
  },
}

/** Runs the command line; returns the exit code. */
export async function porsa(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  output: Output,
): Promise<number | undefined> {
  const [name = '', ...rest] = argv
  if (['', '--help', '-h', 'help'].includes(name)) {
    output.out(help())
    return name === '' ? 1 : 0
  }
  if (name === '--version') {
    output.out(describeVersion())
    return 0
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  try {
    if (!command)
      throw new Misused(`there is no command ${name}${suggestion(name, Object.keys(commands))}\n\n${help()}`)
    const { args, options } = readOptions(rest, command.options ?? [])
    if (options.help) {
      output.out(helpOf(command))
      return 0
    }
    const file = options.settings === undefined ? undefined : String(options.settings)
    return await command.run({ args, options, env: readEnvironment(env, file), output })
  } catch (error) {
    const why = error instanceof Error ? error.message : 'failed'
    const isOfCommand = command !== undefined && error instanceof Misused
    output.err(isOfCommand ? `${why}\n${helpOf(command)}` : why)
    return exitCodeOf(error)
  }
}

/** Separates options from arguments; throws at an unknown option. */
function readOptions(argv: readonly string[], own: readonly string[]) {
  const valued = [...own, 'settings']
  const args: string[] = []
  const options: Record<string, string | true> = {}
  for (let at = 0; at < argv.length; at += 1) {
    const given = argv[at] ?? ''
    // A negative number is an external id.
    if (!given.startsWith('-') || /^-\d+$/.test(given)) {
      args.push(given)
      continue
    }
    const [, name = '', joined] = /^--?([^=]*)(?:=(.*))?$/s.exec(given) ?? []
    if (['help', 'h'].includes(name)) options.help = true
    else if (!valued.includes(name))
      throw new Misused(`there is no option --${name}${suggestion(name, [...valued, 'help'], '--')}`)
    else {
      const value = joined ?? argv[++at]
      if (value === undefined || value === '') throw new Misused(`--${name} needs a file behind it`)
      options[name] = value
    }
  }
  return { args, options }
}

function suggestion(given: string, names: readonly string[], dashes = ''): string {
  const near = nearest(given, names)
  return near === undefined ? '' : `: did you mean ${dashes}${near}?`
}

const OPTIONS = '  --settings <file>  the settings, as systemd reads them; else .env of this folder\n  --help'

const helpOf = ({ usage, does }: Command): string =>
  [`porsa ${usage[0]?.split(' ')[0]} ${does}.`, '', ...usage.map((line) => `  porsa ${line}`), OPTIONS].join(
    '\n',
  )

function help(): string {
  const lines = Object.entries(commands).map(([name, { does }]) => `  ${name.padEnd(8)} ${does}`)
  return [
    'usage: porsa <command> [--settings <file>]',
    '',
    ...lines,
    '',
    '  porsa <command> --help, porsa --version',
  ].join('\n')
}
