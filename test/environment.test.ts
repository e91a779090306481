import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { nearest, readEnvironment } from '../src/environment.ts'

async function fileOf(text: string): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'porsa-env-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  await writeFile(join(dir, 'porsa.env'), text)
  return join(dir, 'porsa.env')
}

test('settings come from the file, and the environment wins over it', async () => {
  const file = await fileOf('# the bot\nLOCALE=en\nPORT=9000\nORGANIZER_NAME="مرکز نمونه"\n')
  const env = readEnvironment({ PORT: '9001', PATH: '/bin' }, file)
  expect(env).toEqual({ LOCALE: 'en', PORT: '9001', ORGANIZER_NAME: 'مرکز نمونه', PATH: '/bin' })
})

test.each([
  ['# a comment', {}],
  ['; another one \\\nA=1', {}],
  ['A=1 # no comment', { A: '1 # no comment' }],
  ['A=  a b  ', { A: 'a b' }],
  ["A=it's", { A: "it's" }],
  ['A="a \\"b\\" \\$c \\n"', { A: 'a "b" $c \\n' }],
  ["A='a \\ b'", { A: 'a \\ b' }],
  ['A=one\\\ntwo', { A: 'onetwo' }],
  ['A="two\nlines"', { A: 'two\nlines' }],
  ['A=a\\ b', { A: 'a b' }],
  ['A=\nB=2', { A: '', B: '2' }],
  ['  A=1\r\nB=2', { A: '1', B: '2' }],
  ['\uFEFFA=1', { A: '1' }],
  ['A = 1\nB\t="2"', { A: '1', B: '2' }],
  ['A="two\nexport B=1"', { A: 'two\nexport B=1' }],
])('%j is read as systemd reads it', async (text, settings) => {
  expect(readEnvironment({}, await fileOf(text))).toEqual(settings)
})

test('a line that systemd would ignore is reported', async () => {
  const file = await fileOf('LOCALE=en\nexport BOT_TOKEN=sesame')
  expect(() => readEnvironment({}, file)).toThrow(
    /^BOT_TOKEN has export before it, for which systemd leaves the line out$/,
  )
})

test('a named settings file must be readable; the one of the folder may be missing', () => {
  const env = { PORT: '9001' }
  expect(readEnvironment(env)).toEqual(env)
  expect(() => readEnvironment(env, '/nowhere/.env')).toThrow(/cannot be read \(ENOENT\)/)
  expect(() => readEnvironment(env, tmpdir())).toThrow(/cannot be read \(EISDIR\)/)
})

test.each(['start', 'check', 'link'] as const)('npm run %s runs the command', (name) => {
  expect(packageJson.scripts[name]).toContain(`node dist/cli/porsa.js ${name}`)
})

test.each([
  ['REDIS_URI', 'REDIS_URL'],
  ['RATE_PER_MINUT', 'RATE_PER_MINUTE'],
  ['REIDS_URL', 'REDIS_URL'],
  ['HOSTNAME', undefined],
])('the nearest name to %s is %s', (given, meant) => {
  expect(nearest(given, ['REDIS_URL', 'RATE_PER_MINUTE', 'HOST'])).toBe(meant)
})
