import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { readEnvironment } from '../src/environment.ts'

async function fileOf(text: string): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'porsa-env-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  await writeFile(join(dir, '.env'), text)
  return join(dir, '.env')
}

test('settings come from the file, and the environment wins over it', async () => {
  const file = await fileOf('# the bot\nLOCALE=en\nPORT=9000\nORGANIZER_NAME="مرکز نمونه"\n')
  const { env, args } = readEnvironment(['record', '--settings', file, 'uuid'], {
    PORT: '9001',
    PATH: '/bin',
  })
  expect(env).toEqual({ LOCALE: 'en', PORT: '9001', ORGANIZER_NAME: 'مرکز نمونه', PATH: '/bin' })
  expect(args).toEqual(['record', 'uuid'])
})

test('a file need not be there, but one that is there has to be readable', async () => {
  const env = { PORT: '9001' }
  expect(readEnvironment(['--settings', '/nowhere/.env'], env).env).toEqual(env)
  expect(() => readEnvironment(['--settings', tmpdir()], env)).toThrow(/cannot be read \(EISDIR\)/)
})

test('a program that is called without a file reads none', () => {
  const env = { PORT: '9001' }
  expect(readEnvironment(['record'], env)).toEqual({ env, args: ['record'] })
})

test.each(['start', 'check', 'link'] as const)('npm run %s names the file', (name) => {
  expect(packageJson.scripts[name]).toMatch(/dist\/\S+\.js --settings \.env$/)
})
