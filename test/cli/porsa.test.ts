import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { porsa } from '../../src/cli/commands.ts'
import { captured, goodEnvironment } from './world.ts'

async function run(...argv: string[]) {
  const { lines, output } = captured()
  const code = await porsa(argv, await goodEnvironment(), output)
  return { code, out: lines.out.join('\n'), err: lines.err.join('\n') }
}

const commands = ['start', 'check', 'link', 'backup', 'restore', 'stuck', 'trace']

test('the help lists the commands, each has its own help, and the program names its version with the commit', async () => {
  const help = await run('--help')
  expect(help.code).toBe(0)
  for (const name of commands) {
    expect(help.out).toContain(`\n  ${name} `)
    const own = await run(name, '--help')
    expect([own.code, own.err]).toEqual([0, ''])
    expect(own.out).toContain(`porsa ${name}`)
    expect(own.out).toContain('--settings')
  }
  expect(await run('--version')).toEqual({
    code: 0,
    out: expect.stringMatching(new RegExp(`^porsa ${packageJson.version} \\([0-9a-f]{12}|unknown\\)$`)),
    err: '',
  })
})

test.each([
  [['chek'], 'there is no command chek: did you mean check?'],
  [['restroe'], 'did you mean restore?'],
  [['backup'], 'backup <folder>'],
  [['backup', ''], 'backup <folder>'],
  [['restore'], 'restore <file>'],
  [['restore', ''], 'restore <file>'],
  [['dance'], 'there is no command dance\n'],
  [['constructor'], 'there is no command constructor'],
  [['toString', '--help'], 'there is no command toString'],
  [['check', '--setings', 'x'], 'there is no option --setings: did you mean --settings?'],
  [['link', '--cvs', 'x'], 'did you mean --csv?'],
  [['check', '--csv', 'x'], 'there is no option --csv'],
  [['check', '--settings'], '--settings needs a file behind it'],
  [['check', 'all'], 'too many arguments'],
  [['stuck', 'repeat'], 'say which'],
  [['stuck', 'burn'], 'repeat or drop'],
  [['trace', 'record'], 'the record must be given by its UUID'],
  [['trace'], 'record <uuid>'],
  [['check', '--settings', '/nowhere/porsa.env'], '/nowhere/porsa.env cannot be read (ENOENT)'],
  [['restore', '/nowhere/porsa.db'], 'there is no file /nowhere/porsa.db'],
  [['stuck'], 'there is no store in DATA_DIR yet'],
])('%j is refused with a similar command, or with what is missing', async (argv, told) => {
  const { code, out, err } = await run(...argv)
  expect([code, out]).toEqual([1, ''])
  expect(`${err}\n`).toContain(told)
})

test('the file of a store is not restored without the log beside it', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'porsa-disk-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const file = join(dir, 'porsa.db')
  for (const name of [file, `${file}-wal`]) await writeFile(name, 'x')
  expect(await run('restore', file)).toMatchObject({
    code: 1,
    err: expect.stringContaining(`${file} lacks what ${file}-wal has: copy it`),
  })
})

test('a settings file is read as systemd reads it', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'porsa-settings-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const { DATA_DIR, ...env } = await goodEnvironment()
  const lines = Object.entries(env).map(([name, value]) => `${name}="${value}"`)
  await writeFile(join(dir, 'porsa.env'), [...lines, 'LOCALE=xx'].join('\n'))
  const { lines: said, output } = captured()
  expect(await porsa(['check', '--settings', join(dir, 'porsa.env')], { DATA_DIR }, output)).toBe(1)
  expect(said.err).toEqual(['LOCALE must be one of fa, en'])
})
