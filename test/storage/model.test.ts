import { rm } from 'node:fs/promises'
import fc from 'fast-check'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRedisStore } from '../../src/storage/redis.ts'
import { createSqliteStore } from '../../src/storage/sqlite.ts'
import type { Store } from '../../src/storage/store.ts'
import { printedSeed } from '../random.ts'
import { operations, type Timed } from './model-operations.ts'
import { createSide } from './model-side.ts'
import { findRedisServer, type RedisServer, startRedis } from './redis-server.ts'
import { type Clock, createClock, temporaryFolder } from './worlds.ts'

const program = findRedisServer()
const RUNS = Number(process.env.TEST_RUNS ?? 120)

/** The outcomes that the runs must include: without them the stores would agree on little. */
const MUST_COME_UP = [
  ...['post posted', 'post duplicate', 'claim', 'renew true', 'renew false', 'begin true', 'begin false'],
  ...['commit ok', 'commit lost', 'commit conflict', 'repeat ok', 'repeat lost'],
  ...['put true', 'put false', 'sit true', 'answer accepted', 'answer stale', 'answer gone'],
]

describe.skipIf(!program)('SQLite beside a real redis-server', () => {
  let server: RedisServer
  let redis: Redis
  beforeAll(async () => {
    server = await startRedis(program ?? '', ['--save', ''])
    redis = new Redis(server.url)
  })
  afterAll(async () => {
    redis.disconnect()
    await server.remove()
  })

  /** Two empty stores with one clock. */
  async function withBoth(act: (stores: readonly [Store, Store], clock: Clock) => Promise<void>) {
    await redis.flushall()
    const clock = createClock()
    const dir = await temporaryFolder()
    const sqlite = await createSqliteStore({ dir, now: clock.now })
    const other = await createRedisStore({ url: server.url, now: clock.now })
    try {
      await act([sqlite, other], clock)
    } finally {
      await Promise.all([sqlite.close(), other.close()])
      await rm(dir, { recursive: true })
    }
  }

  test('any sequence of operations has the same replies from both stores', async () => {
    const seen = new Set<string>()
    const runBoth = (timed: readonly Timed[]) =>
      withBoth(async (stores, clock) => {
        const [sqlite, other] = stores.map((store) => createSide(store, clock.now))
        for (const [step, { afterMs, operation }] of timed.entries()) {
          clock.wait(afterMs)
          const reply = await sqlite?.(operation, step)
          expect({ step, operation, reply: await other?.(operation, step) }).toEqual({
            step,
            operation,
            reply,
          })
          seen.add(`${operation.name} ${outcomeOf(reply)}`.trim())
        }
      })
    const seed = printedSeed('SQLite beside Redis')
    await fc.assert(fc.asyncProperty(operations, runBoth), { numRuns: RUNS, seed })
    expect([...seen]).toEqual(expect.arrayContaining(MUST_COME_UP))
  })
})

function outcomeOf(reply: unknown): string {
  if (typeof reply !== 'object' || reply === null) return String(reply ?? 'none')
  return 'status' in reply ? String(reply.status) : ''
}
