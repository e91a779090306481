import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Redis } from 'ioredis'
import { describe, expect, onTestFinished, test } from 'vitest'
import { porsa } from '../../src/cli/commands.ts'
import type { Output } from '../../src/cli/output.ts'
import { loadConfig } from '../../src/config.ts'
import { openStorage } from '../../src/open-storage.ts'
import { claimStore } from '../../src/storage/bot-of-store.ts'
import { createSqliteStore } from '../../src/storage/sqlite.ts'
import { findRedisServer, freePort, startRedis } from '../storage/redis-server.ts'
import { captured, goodEnvironment, refusingProxy } from './world.ts'

const program = findRedisServer()

const runCheck = (env: NodeJS.ProcessEnv, output: Output) => porsa(['check'], env, output)

async function check(changes: NodeJS.ProcessEnv = {}, atEnd = onTestFinished) {
  const env = { ...(await goodEnvironment(atEnd)), ...changes }
  const { lines, output } = captured()
  const code = await runCheck(env, output)
  const words = (line: string) => line.split(/\s+/).slice(0, 2).join(' ')
  const findings = lines.out.filter((line) => !line.startsWith(' '))
  return { code, ...lines, found: findings.map(words) }
}

test('good settings give good lines, and the check changes nothing', async () => {
  const env = await goodEnvironment()
  const { code, found, out, err } = await check(env)
  expect(found).toEqual([
    ...['ok telegram', 'ok service', 'ok storage', 'ok fonts', 'ok copies', 'ok port'],
    ...['ok webhook', 'ok chats', 'ok events', 'ok limits', 'ok clock'],
  ])
  expect(readdirSync(dirname(env.DATA_DIR ?? ''))).toEqual([])
  expect(out[0]).toContain('@porsa_bot')
  expect([code, err]).toEqual([0, []])
})

test('a refused token and a refused key are reported separately, and not repeated', async () => {
  const { code, found, out } = await check({ BOT_TOKEN: '1:sesame', SERVICE_KEY: 'sesame' })
  expect(found.slice(0, 4)).toEqual(['FAILED telegram', 'FAILED service', 'ok storage', 'ok fonts'])
  expect(out[0]).toContain('BOT_TOKEN is refused')
  expect(out[2]).toContain('SERVICE_KEY is refused')
  expect(out.join()).not.toContain('sesame')
  expect(code).toBe(1)
})

// Each of them retries for seconds, as the bot would.
describe.concurrent('an unreachable part', () => {
  test('is reported with the reason, the variable and what to do', async ({ onTestFinished, expect }) => {
    const changes = { TELEGRAM_API_ROOT: 'http://127.0.0.1:1', SERVICE_URL: 'http://127.0.0.1:1/v2' }
    const { code, out } = await check(changes, onTestFinished)
    expect(out.slice(0, 4)).toEqual([
      'FAILED  telegram  cannot reach http://127.0.0.1:1 (TELEGRAM_API_ROOT): connect ECONNREFUSED 127.0.0.1:1',
      expect.stringMatching(/^ +→ look at TELEGRAM_API_ROOT .*HTTP_PROXY_URL/),
      'FAILED  service   cannot reach http://127.0.0.1:1 (SERVICE_URL): connect ECONNREFUSED 127.0.0.1:1',
      expect.stringMatching(/^ +→ look at SERVICE_URL/),
    ])
    expect(code).toBe(1)
  })

  test.for(['http', 'socks5'])(
    'such as a missing %s proxy is named without its password',
    async (scheme, { onTestFinished, expect }) => {
      const { out } = await check({ HTTP_PROXY_URL: `${scheme}://user:sesame@127.0.0.1:1` }, onTestFinished)
      expect(out[0]).toMatch(
        new RegExp(`through the proxy ${scheme}://127.0.0.1:1 .HTTP_PROXY_URL.: connect ECONNREFUSED`),
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
    'behind a proxy that answers %i is told apart from a missing proxy',
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

test('a missing Redis is reported with what to do', async () => {
  const DATA_KEY = Buffer.alloc(32, 1).toString('base64')
  const { out, code } = await check({ REDIS_URL: `redis://:sesame@127.0.0.1:${await freePort()}`, DATA_KEY })
  expect(out[2]).toBe('FAILED  storage   REDIS_URL is set, but Redis cannot be reached (ECONNREFUSED)')
  expect(out[3]).toContain('host and port in REDIS_URL')
  expect([code, out.join().includes('sesame')]).toEqual([1, false])
})

test.skipIf(!program)(
  'a Redis that lost all data under a running bot is told apart from a new one',
  async () => {
    const redis = await startRedis(program ?? '')
    const client = new Redis(redis.url)
    onTestFinished(() => redis.remove())
    onTestFinished(() => client.disconnect())
    const env = {
      ...(await goodEnvironment()),
      REDIS_URL: redis.url,
      DATA_KEY: Buffer.alloc(32, 1).toString('base64'),
    }
    const storage = async () => (await check(env)).out.slice(2, 4).join()
    expect(await storage()).toMatch(/^ok +storage +Redis answers, and is empty/)
    const { store } = await opened(env)
    onTestFinished(() => store.close())
    await store.ping()
    expect(await storage()).toMatch(/^ok +storage +Redis answers, DATA_KEY opens it/)
    await claimStore(store, '4242')
    expect(await storage()).toMatch(/^FAILED +storage +REDIS_URL has the store of another bot/)
    await client.flushall()
    await expect(store.ping()).rejects.toThrow('without its keyring')
    expect(await storage()).toMatch(/^FAILED +storage +Redis came back empty.*porsa restore/)
  },
)

test('a folder that cannot be written is reported', async () => {
  const { code, found } = await check({ DATA_DIR: '/dev/null/data', DATA_KEY_FILE: '/dev/null/key' })
  expect(found[2]).toBe('FAILED storage')
  expect(code).toBe(1)
})

test('a folder that cannot take copies is reported, one that does not exist yet is accepted', async () => {
  const copies = async (BACKUP_DIR?: string) => about('copies', (await check({ BACKUP_DIR })).out)
  expect(await copies()).toMatch(/^ok .*BACKUP_DIR is not set/)
  expect(await copies(join(tmpdir(), 'porsa-nowhere', 'copies'))).toMatch(/^ok .*BACKUP_DIR takes them/)
  for (const file of ['/dev/null', '/dev/null/copies'])
    expect(await copies(file)).toMatch(/^FAILED.*BACKUP_DIR cannot be used \(ENOTDIR\)/)
})

test('a key that does not open the store is reported', async () => {
  const env = await goodEnvironment()
  const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')
  await (await opened({ ...env, DATA_KEY: key(1) })).store.close()
  expect((await check({ ...env, DATA_KEY: key(1) })).code).toBe(0)
  const { code, out } = await check({ ...env, DATA_KEY: key(2) })
  expect([code, out[2]]).toEqual([1, expect.stringContaining('DATA_KEY does not open this store')])
  const lost = await check(env)
  expect([lost.code, lost.out[2]]).toEqual([1, expect.stringContaining('put it back at DATA_KEY_FILE')])
})

test('a store from a first start that could make no key is reported as empty', async () => {
  const env = await goodEnvironment()
  await (await createSqliteStore({ dir: env.DATA_DIR ?? '', now: Date.now })).close()
  const { code, out } = await check(env)
  expect([code, out[2]]).toEqual([0, 'ok      storage   the embedded store is empty'])
})

test('the settings can be checked while the bot runs', async () => {
  const env = await goodEnvironment()
  const { store } = await opened(env)
  onTestFinished(() => store.close())
  const { code, out } = await check(env)
  expect([code, out[2]]).toEqual([0, 'ok      storage   the embedded store opens'])
})

test('bad variables are named before any check is made', async () => {
  const { code, out, err } = await check({ BOT_TOKEN: '', PORT: 'http' })
  expect([code, out, err]).toEqual([
    1,
    [],
    [expect.stringMatching(/^BOT_TOKEN is required: .+\nPORT must be a port: .+$/)],
  ])
})

async function opened(env: NodeJS.ProcessEnv) {
  const loaded = loadConfig(env)
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  return openStorage(loaded.config)
}

/** A server that answers every request with this. */
async function answering(status: number, body = '', headers: Record<string, string> = {}): Promise<string> {
  const server = createServer((_, response) => void response.writeHead(status, headers).end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a wrong root of the Bot API is not reported as a refused token', () => {
  const notFound = JSON.stringify({ ok: false, error_code: 404, description: 'Not Found' })
  test.each([
    ['a page', '<html>', 404],
    ['another API', notFound, 404],
    ['a site', '<html>', 200],
  ])('%s', async (_, body, status) => {
    const { out } = await check({ TELEGRAM_API_ROOT: await answering(status, body) })
    expect(out[0]).toBe(`FAILED  telegram  what answers at TELEGRAM_API_ROOT is not a Bot API (${status})`)
    expect(out.join()).not.toContain('BOT_TOKEN')
  })

  test('a superfluous path below it', async () => {
    const env = await goodEnvironment()
    const { out } = await check({ ...env, TELEGRAM_API_ROOT: `${env.TELEGRAM_API_ROOT}/v1` })
    expect(out[0]).toContain('is not a Bot API (404)')
  })
})

/** The line about one part, and the advice below it. */
function about(name: string, out: readonly string[]): string {
  const at = out.findIndex((line) => line.slice(8).startsWith(name))
  return `${out[at]} ${out[at + 1]?.startsWith(' ') ? out[at + 1] : ''}`
}

test('a port that another program uses is reported, one that the bot uses is accepted', async () => {
  const other = new URL(await answering(200, 'hello')).port
  expect(about('port', (await check({ PORT: other })).out)).toMatch(/^FAILED.*PORT \d+ is taken/)
  const own = new URL(await answering(200, '{"status":"ok"}')).port
  expect(about('port', (await check({ PORT: own })).out)).toMatch(/^ok .*a running bot listens/)
})

test.each([
  [401, /^ok .*a bot answers there/],
  [502, /^ok .*no bot runs behind it/],
  [404, /^FAILED.*something else than the bot \(404\).*forward its path/],
])('a webhook address that answers %i is judged by the status', async (status, told) => {
  const { out } = await check({ WEBHOOK_URL: `${await answering(status)}/telegram` })
  expect(about('webhook', out)).toMatch(told)
})

test('a webhook address without a listener is reported', async () => {
  const { out } = await check({ WEBHOOK_URL: `http://127.0.0.1:${await freePort()}/telegram` })
  expect(about('webhook', out)).toMatch(/^FAILED.*WEBHOOK_URL.*ECONNREFUSED/)
})

test('a used-up rate limit of the key is reported at once', async () => {
  const { out } = await check({ SERVICE_URL: `${await answering(429, '{}', { 'retry-after': '60' })}/v2` })
  expect(about('service', out)).toMatch(/^FAILED.*rate_limited \(429\).*wait a minute/)
})

test('people without a chat with the bot are reported by their place in the setting', async () => {
  const { out, code } = await check({ ORGANIZERS: '12', OPERATORS: '13' })
  expect(about('chats', out)).toMatch(/^FAILED.*number 1 of ORGANIZERS, number 1 of OPERATORS.*\/start/)
  expect([code, about('chats', out).includes('12')]).toEqual([1, false])
})

test('the receiver of events is contacted, and no event is sent', async () => {
  const events = (EVENTS_URL: string) => check({ EVENTS_URL, EVENTS_SECRET: 'a'.repeat(16) })
  expect(about('events', (await events(await answering(405))).out)).toMatch(/^ok .*somebody answers/)
  expect(about('events', (await events(`http://127.0.0.1:${await freePort()}`)).out)).toMatch(
    /^FAILED.*EVENTS_URL.*ECONNREFUSED/,
  )
  expect(about('events', (await events(await answering(500))).out)).toMatch(/^FAILED.*answers 500/)
})

test('a clock that is wrong by more than five minutes is reported', async () => {
  const late = { date: new Date(Date.now() - 40 * 86_400_000).toUTCString() }
  const body = JSON.stringify({ ok: true, result: { id: 1, is_bot: true, first_name: 'P', username: 'p' } })
  const url = await answering(200, body, late)
  const { out } = await check({ TELEGRAM_API_ROOT: url, SERVICE_URL: `${url}/v2` })
  expect(about('clock', out)).toMatch(/^FAILED.*the clock is 34560\d\d s ahead.*timedatectl/)
})
