import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/observe/logger.ts'
import { type Running, run } from '../../src/run.ts'
import { json, localService, ok, type Reply, refusal } from '../service/local-service.ts'
import { findRedisServer, startRedis } from '../storage/redis-server.ts'
import { createSurroundings } from '../surroundings.ts'
import { until } from '../until.ts'

const program = findRedisServer()
const works = ok({ connect: 'ok' })

/**
 * Idle bots in virtual time, and a service that answers as the test says behind a gateway with the key.
 * At the end no request may have come without the key or outside of the specification.
 */
async function idle(environment: Record<string, string> = {}) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  let time = Date.now()
  const now = () => time
  let withKey = works
  const service = await localService((response, request, socket) => {
    const reply = request.headers['api-key'] === 'key' ? withKey : refusal(401, 'Invalid API key.')
    reply(response, request, socket)
  })
  const { env, dir, close } = await createSurroundings({ environment }, now)
  const bots: Running[] = []
  onTestFinished(async () => {
    await Promise.all(bots.map((bot) => bot.stop()))
    await close()
    const asked = service.seen.map(({ method, path, headers }) => `${method} ${path} ${headers['api-key']}`)
    expect([...new Set(asked)]).toEqual(['GET /v2/auth/connect/ key'])
  })

  const parts = async (bot = bots[0]): Promise<Record<string, string>> => {
    const answer = await fetch(`${bot?.address}/readyz`)
    return (await answer.json()) as Record<string, string>
  }
  return {
    answers(reply: Reply) {
      withKey = reply
    },
    calls: () => service.seen.length,
    parts,
    async start() {
      const own = { SERVICE_URL: service.url, SERVICE_KEY: 'key', DATA_DIR: join(dir, `${bots.length}`) }
      const loaded = loadConfig({ ...env, ...own })
      if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
      const bot = await run(loaded.config, { now, log: createLog('silent', { write: () => {} }) })
      bots.push(bot)
      await until(async () => (await parts(bot)).service === 'ok')
    },
    /** Lets time pass and waits for everything that it sets off. */
    async passes(seconds: number) {
      time += seconds * 1_000
      vi.advanceTimersByTime(seconds * 1_000)
      await sleep(60)
    },
  }
}

test('the next check finds an outage behind a gateway that only knows the key, and its end', async () => {
  const { answers, calls, parts, passes, start } = await idle()
  await start()
  answers(refusal(503))
  await passes(15)
  await until(async () => (await parts()).service === 'degraded')
  answers(works)
  await passes(15)
  await until(async () => (await parts()).service === 'ok')
  expect(calls()).toBe(3)
})

test('the next check finds a revoked key', async () => {
  const { answers, parts, passes, start } = await idle()
  await start()
  answers(refusal(401, 'Invalid API key.'))
  await passes(15)
  await until(async () => (await parts()).service === 'degraded')
})

test('while the budget pauses after a 429 no check is made, and no part is degraded', async () => {
  const { answers, calls, parts, passes, start } = await idle()
  await start()
  answers(json(429, { data: null, successful: false, messages: [] }, { 'retry-after': '50' }))
  await passes(15)
  await until(() => calls() === 2)
  answers(refusal(503))
  for (let looks = 0; looks < 3; looks += 1) {
    await passes(15)
    expect(await parts()).toMatchObject({ service: 'ok', telegram: 'ok' })
  }
  expect(calls()).toBe(2)
  // On a busy machine a check may still be running when the next one is due.
  await until(async () => {
    await passes(15)
    return (await parts()).service === 'degraded'
  })
})

describe.skipIf(!program)('with a real redis-server', () => {
  test('three idle replicas share their checks', async () => {
    const redis = await startRedis(program ?? '', ['--save', ''])
    onTestFinished(() => redis.remove())
    const shared = { REDIS_URL: redis.url, DATA_KEY: randomBytes(32).toString('base64') }
    const { answers, calls, parts, passes, start } = await idle(shared)
    for (const apart of [3, 6, 6]) {
      await start()
      await passes(apart)
    }
    const before = calls()
    for (let seconds = 0; seconds < 120; seconds += 3) await passes(3)
    const perMinute = (calls() - before) / 2
    expect(perMinute).toBeGreaterThanOrEqual(4)
    expect(perMinute).toBeLessThanOrEqual(8)
    answers(refusal(503))
    for (let seconds = 0; seconds < 24; seconds += 3) await passes(3)
    await until(async () => (await parts()).service === 'degraded')
  })
})
