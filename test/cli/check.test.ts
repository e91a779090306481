import { describe, expect, onTestFinished, test } from 'vitest'
import { runCheck } from '../../src/cli/run-check.ts'
import { createSqliteStore } from '../../src/storage/sqlite.ts'
import { freePort } from '../storage/redis-server.ts'
import { captured, goodEnvironment, refusingProxy } from './world.ts'

async function check(changes: NodeJS.ProcessEnv = {}, atEnd = onTestFinished) {
  const env = { ...(await goodEnvironment(atEnd)), ...changes }
  const { lines, output } = captured()
  const code = await runCheck(env, output)
  const words = (line: string) => line.split(/\s+/).slice(0, 2).join(' ')
  const findings = lines.out.filter((line) => !line.startsWith(' '))
  return { code, ...lines, found: findings.map(words) }
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
  expect(out[2]).toContain('SERVICE_KEY is refused')
  expect(out.join()).not.toContain('sesame')
  expect(code).toBe(1)
})

// Each tries for seconds, as the bot would.
describe.concurrent('what cannot be reached', () => {
  test('is told with the reason, the variable and what to do', async ({ onTestFinished, expect }) => {
    const changes = { TELEGRAM_API_ROOT: 'http://127.0.0.1:1', SERVICE_URL: 'http://127.0.0.1:1/v2' }
    const { code, out } = await check(changes, onTestFinished)
    expect(out.slice(0, 4)).toEqual([
      'FAILED  telegram  cannot reach http://127.0.0.1:1 (TELEGRAM_API_ROOT): ECONNREFUSED: nothing listens there',
      expect.stringMatching(/^ +→ look at TELEGRAM_API_ROOT .*HTTP_PROXY_URL/),
      'FAILED  service   cannot reach http://127.0.0.1:1 (SERVICE_URL): ECONNREFUSED: nothing listens there',
      expect.stringMatching(/^ +→ look at SERVICE_URL/),
    ])
    expect(code).toBe(1)
  })

  test.for(['http', 'socks5'])(
    'as a %s proxy that is not there, is named without its password',
    async (scheme, { onTestFinished, expect }) => {
      const { out } = await check({ HTTP_PROXY_URL: `${scheme}://user:sesame@127.0.0.1:1` }, onTestFinished)
      expect(out[0]).toMatch(
        new RegExp(
          `through the proxy ${scheme}://127.0.0.1:1 .HTTP_PROXY_URL.: ECONNREFUSED: nothing listens`,
        ),
      )
      expect(out[1]).toContain('see that the proxy runs')
      expect(out.join()).not.toContain('sesame')
    },
  )

  test.for([
    [407, 'asks for a name and a password (407)', 'http://user:password@host:port'],
    [
      502,
      'does not open the way to https://127.0.0.1:1 (TELEGRAM_API_ROOT): it answers 502',
      'TELEGRAM_API_ROOT',
    ],
  ] as const)(
    'behind a proxy that answers %i, is told from one that is not there',
    async ([status, why, advice], { onTestFinished, expect }) => {
      const changes = {
        TELEGRAM_API_ROOT: 'https://127.0.0.1:1',
        HTTP_PROXY_URL: await refusingProxy(status, onTestFinished),
      }
      const { out } = await check(changes, onTestFinished)
      expect(out[0]).toContain(why)
      expect(out[1]).toContain(advice)
    },
  )
})

test('Redis that is not there is told with what to do', async () => {
  const DATA_KEY = Buffer.alloc(32, 1).toString('base64')
  const { out, code } = await check({ REDIS_URL: `redis://:sesame@127.0.0.1:${await freePort()}`, DATA_KEY })
  expect(out[2]).toBe('FAILED  storage   REDIS_URL is set, but Redis cannot be reached (ECONNREFUSED)')
  expect(out[3]).toContain('host and port in REDIS_URL')
  expect([code, out.join().includes('sesame')]).toEqual([1, false])
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
  expect([code, out, err]).toEqual([
    1,
    [],
    [expect.stringMatching(/^BOT_TOKEN is required: .+\nPORT must be a port: .+$/)],
  ])
})
