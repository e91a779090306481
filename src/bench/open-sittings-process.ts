import { createRedisStore } from '../store/redis.ts'
import { createSqliteStore } from '../store/sqlite.ts'
import { createHotPath, type HotPath } from './hot-path.ts'
import type { SittingsOrder, SittingsSeen } from './open-sittings.ts'

const AT_ONCE = 250
const QUESTION = 565

process.once('disconnect', () => process.exit())
process.once('message', (order: SittingsOrder) => void open(order))

/** Opens sittings, each with an answer of its own, and tells what the process needs more than before. */
async function open({ apiRoot, redisUrl, dir, sittings }: SittingsOrder): Promise<void> {
  const store = redisUrl
    ? await createRedisStore({ url: redisUrl, now: Date.now })
    : await createSqliteStore({ dir, now: Date.now })
  const path = await createHotPath({ store, apiRoot })
  await answerOnce(path, AT_ONCE)
  const before = memory()
  for (let opened = 0; opened < sittings; opened += AT_ONCE) await answerOnce(path, AT_ONCE)
  const after = memory()
  await store.close()
  process.send?.({ heap: after.heap - before.heap, rss: after.rss } satisfies SittingsSeen)
}

async function answerOnce(path: HotPath, people: number): Promise<void> {
  for (const person of await path.people(people, QUESTION)) await path.answer(person)
}

/** What is left when everything that nobody needs has been collected. */
function memory(): { heap: number; rss: number } {
  globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  return { heap: heapUsed + external, rss }
}
