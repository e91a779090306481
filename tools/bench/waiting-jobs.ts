import { HOUR_MS } from '../../src/domain/durations.ts'
import { actorKinds } from '../../src/queue/actors.ts'
import { createRedisStore } from '../../src/storage/redis.ts'
import { createSqliteStore } from '../../src/storage/sqlite.ts'
import type { Store } from '../../src/storage/store.ts'
import type { Place } from './place.ts'
import { median, microseconds, quantile, type Row, type Table } from './table.ts'

const CLAIMS = 400
const AT_ONCE = 1_000
const LEASE_MS = 10_000
const FEW = 1_000
const BODY = Buffer.alloc(200)

/** How long a claim takes while many jobs wait, half of them due. */
export async function measureWaitingJobs(place: Place): Promise<Table> {
  const many = place.isShort ? 5_000 : 100_000
  const redis = await place.redis()
  const stores: [string, Store][] = [
    ...(redis ? [['Redis', await createRedisStore({ url: redis.url })] satisfies [string, Store]] : []),
    ['SQLite', await createSqliteStore({ dir: await place.folder(), now: Date.now })],
  ]
  const rows: Row[] = []
  for (const [name, store] of stores) {
    place.finally(() => store.close())
    await fill(store, 0, FEW)
    const few = await claimed(store)
    await fill(store, FEW, many)
    const crowded = await claimed(store)
    rows.push(
      {
        what: `${name}: median`,
        value: median(crowded),
        show: microseconds,
        goal: { most: 5_000 },
        means: 'From asking to having the message, one at a time; each is ended before the next.',
      },
      {
        what: `${name}: p99`,
        value: quantile(crowded, 0.99),
        show: microseconds,
        means: 'One of a hundred takes longer.',
      },
      {
        what: `${name}: ÷ with ${FEW.toLocaleString('en')} waiting`,
        value: median(crowded) / median(few),
        goal: { most: 1.5 },
        means: 'Whether it grows with what waits.',
      },
    )
  }
  return {
    title: `A claim among ${many.toLocaleString('en')} waiting jobs`,
    about: `Half of the jobs are due now, half in an hour. ${CLAIMS} claims.`,
    rows,
  }
}

async function fill(store: Store, from: number, to: number): Promise<void> {
  const soon = Date.now()
  for (let at = from; at < to; at += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, to - at) }, (_, index) => {
      const number = at + index
      const dueAt = number % 2 === 0 ? soon : soon + HOUR_MS
      return store.post({
        actor: `result:bench-${number}`,
        id: `job-${number}`,
        once: true,
        body: BODY,
        dueAt,
      })
    })
    await Promise.all(batch)
  }
}

/** Microseconds of each claim. */
async function claimed(store: Store): Promise<number[]> {
  const took: number[] = []
  for (let claims = 0; claims < CLAIMS; claims += 1) {
    const startedAt = performance.now()
    const claim = await store.claim(LEASE_MS, actorKinds)
    took.push((performance.now() - startedAt) * 1_000)
    if (!claim) throw new Error('nothing is due any more')
    await store.commit(claim, {})
  }
  return took
}
