import { expect, onTestFinished, test } from 'vitest'
import { runCheck } from '../../src/cli/run-check.ts'
import { createSqliteStore } from '../../src/store/sqlite.ts'
import { captured, goodEnvironment } from './world.ts'

async function check(changes: NodeJS.ProcessEnv = {}) {
  const env = { ...(await goodEnvironment()), ...changes }
  const { lines, output } = captured()
  const code = await runCheck(env, output)
  const words = (line: string) => line.split(/\s+/).slice(0, 2).join(' ')
  return { code, ...lines, found: lines.out.map(words) }
}

test('good settings give four good lines', async () => {
  const { code, found, out, err } = await check()
  expect(found).toEqual(['ok telegram', 'ok service', 'ok storage', 'ok fonts'])
  expect(out[0]).toContain('@porsa_bot')
  expect([code, err]).toEqual([0, []])
})

test('a refused token and a refused key are told apart, and not repeated', async () => {
  const { code, found, out } = await check({ BOT_TOKEN: '1:sesame', SERVICE_KEY: 'sesame' })
  expect(found).toEqual(['FAILED telegram', 'FAILED service', 'ok storage', 'ok fonts'])
  expect(out[0]).toContain('BOT_TOKEN is refused')
  expect(out[1]).toContain('SERVICE_KEY is refused')
  expect(out.join()).not.toContain('sesame')
  expect(code).toBe(1)
})

test('ends that cannot be reached are told', async () => {
  const { code, out } = await check({
    TELEGRAM_API_ROOT: 'http://127.0.0.1:1',
    SERVICE_URL: 'http://127.0.0.1:1/v2',
  })
  expect(out[0]).toMatch(/FAILED {2}telegram {2}Telegram cannot be reached/)
  expect(out[1]).toMatch(/FAILED {2}service/)
  expect(code).toBe(1)
})

test('a folder that cannot be written is told', async () => {
  const { code, found } = await check({ DATA_DIR: '/dev/null/data', DATA_KEY_FILE: '/dev/null/key' })
  expect(found[2]).toBe('FAILED storage')
  expect(code).toBe(1)
})

test('a key that does not open the store is told', async () => {
  const env = await goodEnvironment()
  const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')
  expect(await runCheck({ ...env, DATA_KEY: key(1) }, captured().output)).toBe(0)
  const { lines, output } = captured()
  expect(await runCheck({ ...env, DATA_KEY: key(2) }, output)).toBe(1)
  expect(lines.out[2]).toContain('DATA_KEY does not open this store')
})

test('the settings can be checked while the bot runs', async () => {
  const env = await goodEnvironment()
  const store = await createSqliteStore({ dir: env.DATA_DIR ?? '', now: Date.now })
  onTestFinished(() => store.close())
  const { lines, output } = captured()
  expect(await runCheck(env, output)).toBe(0)
  expect(lines.out[2]).toContain('a running bot')
})

test('bad variables are named before anything is tried', async () => {
  const { code, out, err } = await check({ BOT_TOKEN: '', PORT: 'http' })
  expect([code, out, err]).toEqual([1, [], ['BOT_TOKEN is required\nPORT must be a number']])
})
