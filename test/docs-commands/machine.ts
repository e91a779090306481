import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { appendFile, cp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtTools } from '../process/package.ts'
import { freePort } from '../storage/redis-server.ts'
import { createSurroundings } from '../surroundings.ts'
import { until } from '../until.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** Made by commands, or private to this folder. */
const LEFT_OUT = /^(\.git|\.env|node_modules|dist.*|data.*|demo-data|artifacts|locales|.*\.log)$/
/** Programs that a machine may lack or that must not change this machine: each prints how it was called. */
const SPOKEN = ['systemctl', 'journalctl', 'docker']
/** Packages whose work is done or tested elsewhere in these tests: they print their calls, too. */
const SPOKEN_PACKAGES = ['vite', 'vitest', 'biome', 'tsc']
const NOBODY = ['-c', 'user.name=nobody', '-c', 'user.email=nobody@example.org']

export type Machine = Awaited<ReturnType<typeof openMachine>>

/**
 * A bare machine: a clone of the project with its packages and built files, and a shell, with an emulated
 * Telegram and a sandbox in reach. No command leaves the machine's folder; the root that some of them name is
 * a folder, too.
 */
export async function openMachine() {
  const { dir, sandbox, emulator, env, close } = await createSurroundings({}, Date.now)
  const [origin, clone, bin] = ['origin', 'opt/porsa', 'bin'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ]
  await layOrigin(origin)
  await mkdir(bin)
  const speaks = (name: string) => `#!/bin/sh\necho "spoken: ${name} $*"\n`
  await writeScripts(bin, Object.fromEntries(SPOKEN.map((name) => [name, speaks(name)])))
  await writeScripts(bin, {
    sudo: '#!/bin/sh\nexec "$@"\n',
    // Installed packages are only compared with the lockfile.
    npm: `#!/bin/sh
PATH="\${PATH#*:}"
if [ "$1" = ci ]; then
  [ -e ~/compared ] && exit
  touch ~/compared
  set -- ci --dry-run
fi
exec npm "$@"
`,
    // One command shows that npx finds the program of this folder: it takes as long as most commands.
    npx: `#!/bin/sh
PATH="\${PATH#*:}"
[ "$1" = porsa ] && [ "$2" != check ] && shift && exec node dist/cli/porsa.js "$@"
exec npx "$@"
`,
    // As in the image.
    porsa: '#!/bin/sh\nexec node dist/cli/porsa.js "$@"\n',
  })
  for (const folder of ['etc/systemd/system', 'var/lib']) await mkdir(join(dir, folder), { recursive: true })
  const port = String(await freePort())
  const running: ChildProcess[] = []
  const words = new Map([
    ['<this repository>', origin],
    ['/opt/porsa', clone],
    [' /etc/', ` ${dir}/etc/`],
    ['127.0.0.1:8080', `127.0.0.1:${port}`],
  ])

  function begin(command: string, more: Record<string, string> = {}) {
    const meant = [...words].reduce((text, [from, to]) => text.replaceAll(from, to), command)
    const child = spawn('bash', ['-c', meant], {
      cwd: existsSync(clone) ? clone : dir,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: `${bin}:${join(process.execPath, '..')}:${process.env.PATH}`,
        HOME: dir,
        ...{ npm_config_offline: 'true', npm_config_update_notifier: 'false' },
        ...more,
      },
    })
    running.push(child)
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
      })
    const ended = once(child, 'close').then(([code]) => Number(code))
    return {
      said: () => said,
      ended,
      /** Ends the process and all processes that it has started. */
      async stop(): Promise<void> {
        killAll(child, 'SIGTERM')
        await ended
      },
    }
  }

  async function run(command: string) {
    const started = begin(command)
    const code = await started.ended
    return { code, said: started.said() }
  }
  await run('git clone -q <this repository> /opt/porsa')
  return {
    dir,
    clone,
    sandbox,
    emulator,
    /** Sets the local value of a placeholder of the pages. */
    means: (word: string, here: string) => void words.set(word, here),
    /** Runs a command to its end. */
    run,
    /** Runs a command that does not end, until its output matches. */
    async begin(command: string, word: RegExp, more: Record<string, string> = {}) {
      const started = begin(command, more)
      let hasEnded = false
      void started.ended.then(() => {
        hasEnded = true
      })
      const isHeard = () => word.test(started.said())
      await until(() => isHeard() || hasEnded, { explain: started.said })
      if (!isHeard()) throw new Error(`«${command}» has ended:\n${started.said()}`)
      return started
    },
    /** Writes the settings as an operator fills them in. */
    async fillIn(file: string, more: Record<string, string> = {}): Promise<void> {
      const { DATA_DIR: _, ...own } = env
      const settings = { ...own, PORT: port, ...more }
      const lines = Object.entries(settings).map(([name, value]) => `${name}="${value}"`)
      await appendFile(file, `\n${lines.join('\n')}\n`)
    },
    async close(): Promise<void> {
      for (const child of running) killAll(child, 'SIGKILL')
      await close()
    },
  }
}

/** Ends a process and all processes that it has started, if they still run. */
function killAll({ pid, exitCode }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid && exitCode === null) process.kill(-pid, signal)
  } catch {
    // The process has just ended.
  }
}

async function writeScripts(folder: string, scripts: Record<string, string>): Promise<void> {
  for (const [name, script] of Object.entries(scripts))
    await writeFile(join(folder, name), script, { mode: 0o755 })
}

/** A repository of the project with its packages and built files, so that nothing is built or fetched. */
async function layOrigin(folder: string): Promise<void> {
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true })
  const link = (from: string, name: string) => symlink(join(from, name), join(folder, name))
  for (const name of await readdir(root)) if (!LEFT_OUT.test(name)) await link(root, name)
  await cp(join(root, 'locales'), join(folder, 'locales'), { recursive: true })
  for (const name of ['dist', 'dist-tools']) await link(await builtTools(), name)
  for (const name of await readdir(join(root, 'node_modules')))
    if (!name.startsWith('.')) await link(root, join('node_modules', name))
  const spoken = SPOKEN_PACKAGES.map((name) => [name, `#!/bin/sh\necho "spoken: ${name} $*"\n`])
  await writeScripts(join(folder, 'node_modules/.bin'), Object.fromEntries(spoken))
  await rm(join(folder, '.gitignore'), { force: true })
  const git = (...args: string[]) => execFileSync('git', [...NOBODY, ...args], { cwd: folder, stdio: 'pipe' })
  git('init', '-q')
  git('add', '.')
  git('commit', '-q', '-m', 'All of it')
}
