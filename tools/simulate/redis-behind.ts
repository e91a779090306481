import { createRedisStore } from '../../src/storage/redis.ts'
import { TAG } from '../../src/storage/redis-scripts.ts'
import type { CensusPage, Store } from '../../src/storage/store.ts'
import type { Behind } from './sqlite-behind.ts'
import { OWN } from './stand-ins/ioredis.ts'
import type { Time } from './time.ts'

const KEPT = `${OWN}kept`
const KEEP = `
redis.call('DEL', '${KEPT}')
for _, key in ipairs(redis.call('KEYS', '*')) do redis.call('HSET', '${KEPT}', key, redis.call('DUMP', key)) end
`
const PUT_BACK = `
for _, key in ipairs(redis.call('KEYS', '*')) do if key ~= '${KEPT}' then redis.call('DEL', key) end end
local kept = redis.call('HGETALL', '${KEPT}')
for at = 1, #kept, 2 do redis.call('RESTORE', kept[at], 0, kept[at + 1]) end
redis.call('DEL', '${KEPT}')
`
const VALUES = `
local all = redis.call('KEYS', '${TAG}*')
for place = 1, #all do
  local key = all[place]
  local read = {
    string = { 'GET', key }, hash = { 'HGETALL', key }, zset = { 'ZRANGE', key, 0, -1 }, list = { 'LRANGE', key, 0, -1 }
  }
  local found = redis.call(unpack(read[redis.call('TYPE', key).ok]))
  for _, value in ipairs(type(found) == 'table' and found or { found }) do all[#all + 1] = value end
end
return all
`
const QUEUE = '#q:'

/** A real Redis; this world has one database of it. */
export async function openRedis({ url, time }: { url: string; time: Time }): Promise<Behind> {
  const { redis, ...store } = await createRedisStore({ url, now: time.worldNow, clock: time.worldNow })
  await redis.flushdb()

  return {
    store: { ...store, census: inOrder(store) },
    isDue: () => true,
    async keep() {
      await redis.eval(KEEP, 0)
    },
    async putBack() {
      await redis.eval(PUT_BACK, 0)
    },
    values: async () => (await redis.callBuffer('EVAL', VALUES, 0)) as Buffer[],
    async names() {
      const names = (await redis.keys(`${TAG}*`)).map((key) => key.slice(TAG.length))
      return names.flatMap((name) =>
        name.startsWith(QUEUE) ? [name.slice(QUEUE.length)] : name.startsWith('#') ? [] : [name],
      )
    },
  }
}

/** Redis scans keys in an order that differs between processes, so the census returns all names at once, sorted. */
const inOrder =
  ({ census }: Pick<Store, 'census'>) =>
  async (_?: string, named?: string): Promise<CensusPage> => {
    const pages: CensusPage[] = []
    for (let from: string | undefined = '0'; from !== undefined; from = pages.at(-1)?.next)
      pages.push(await census(from, named))
    const counts: Record<string, number> = {}
    for (const page of pages)
      for (const [kind, count] of Object.entries(page.counts)) counts[kind] = (counts[kind] ?? 0) + count
    return {
      counts,
      attempts: pages.flatMap(({ attempts }) => attempts),
      names: [...new Set(pages.flatMap(({ names }) => names))].toSorted(),
    }
  }
