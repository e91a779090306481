import { setTimeout as sleep } from 'node:timers/promises'
import { createRedisStore } from '../../src/storage/redis.ts'
import { createSqliteStore } from '../../src/storage/sqlite.ts'
import { type AttemptsOrder, type AttemptsSeen, FIRST } from './attempts-order.ts'
import { createHotPath, type HotPath } from './hot-path.ts'

const AT_ONCE = 25
const QUESTION = 565

process.once('disconnect', () => process.exit())
process.once('message', (order: AttemptsOrder) => void open(order))

/** Opens attempts, answers once in each, and reports the growth of the memory. */
async function open({ apiRoot, redisUrl, dir, attempts }: AttemptsOrder): Promise<void> {
  const store = redisUrl
    ? await createRedisStore({ url: redisUrl, now: Date.now })
    : await createSqliteStore({ dir, now: Date.now })
  const path = await createHotPath({ store, apiRoot })
  await answerOnce(path, FIRST)
  const before = await memory()
  await answerOnce(path, attempts)
  const after = await memory()
  await store.close()
  process.send?.({ heap: after.heap - before.heap, rss: after.rss } satisfies AttemptsSeen)
}

async function answerOnce(path: HotPath, people: number): Promise<void> {
  for (let answered = 0; answered < people; answered += AT_ONCE) {
    await Promise.all((await path.people(AT_ONCE, QUESTION)).map(path.answer))
  }
}

/** The memory that is left after garbage collection. */
async function memory(): Promise<{ heap: number; rss: number }> {
  for (let times = 0; times < 3; times += 1) {
    await sleep(100)
    globalThis.gc?.()
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  return { heap: heapUsed + external, rss }
}
