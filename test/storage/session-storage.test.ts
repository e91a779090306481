import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createRedisStore } from '../../src/storage/redis.ts'
import { createSqliteStore } from '../../src/storage/sqlite.ts'
import { describeSessions } from './contract-sessions.ts'
import { findRedisServer, type RedisServer, startRedis } from './redis-server.ts'
import { createClock, hour, KINDS, minute, temporaryFolder } from './worlds.ts'

async function openEmbedded(now: () => number) {
  const dir = await temporaryFolder()
  const store = await createSqliteStore({ dir, now })
  onTestFinished(async () => {
    await store.close().catch(() => undefined) // a test may have closed it
    await rm(dir, { recursive: true })
  })
  return { store, dir }
}

describe('sessions in SQLite', () => {
  describeSessions(async ({ now }) => {
    const { store, dir } = await openEmbedded(now)
    const everything = async () =>
      Buffer.concat(await Promise.all((await readdir(dir)).map((file) => readFile(join(dir, file)))))
    return { store, everything }
  })

  test('an expired session is swept away', async () => {
    const clock = createClock()
    const { store } = await openEmbedded(clock.now)
    const texts = store.sessions(hour)
    await texts.write('session:1', 'text')
    clock.wait(hour + minute)
    await store.claim(minute, KINDS)
    clock.wait(-hour)
    expect(await texts.read('session:1')).toBeUndefined()
  })
})

const program = findRedisServer()

describe.skipIf(!program)('sessions in Redis', () => {
  let server: RedisServer
  let redis: Redis

  beforeAll(async () => {
    server = await startRedis(program ?? '')
    redis = new Redis(server.url)
  })
  afterEach(() => redis.flushall())
  afterAll(async () => {
    redis.disconnect()
    await server.remove()
  })

  async function openRedis(now?: () => number) {
    const store = await createRedisStore({ url: server.url, ...(now && { now }) })
    onTestFinished(() => store.close())
    return store
  }

  describeSessions(async ({ now }) => {
    const everything = async () => {
      const keys = await redis.keys('*')
      const values = await Promise.all(keys.map((key) => redis.getBuffer(key)))
      return Buffer.concat([
        ...keys.map((key) => Buffer.from(key)),
        ...values.flatMap((value) => value ?? []),
      ])
    }
    return { store: await openRedis(now), everything }
  })

  test('every key has the one tag, and expires by itself', async () => {
    const texts = (await openRedis()).sessions(hour)
    await texts.write('session:1', 'text')
    expect((await redis.keys('*')).sort()).toEqual(['{porsa}#life', '{porsa}session:1'])
    const leavesInMs = await redis.pttl('{porsa}session:1')
    expect(leavesInMs).toBeGreaterThan(0)
    expect(leavesInMs).toBeLessThanOrEqual(hour)
  })

  test('a foreign text is as an absent session', async () => {
    const texts = (await openRedis()).sessions(hour)
    await redis.set('{porsa}session:1', 'not JSON')
    expect(await texts.read('session:1')).toBeUndefined()
  })
})
