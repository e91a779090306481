import { fork } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import { type AttemptsOrder, type AttemptsSeen, FIRST } from './attempts-order.ts'
import { messageFrom } from './message-from.ts'
import type { Place } from './place.ts'
import { bytes, megabytes, type Row, type Table } from './table.ts'

/** The memory and storage that ten thousand open attempts take. */
export async function measureAttempts(place: Place): Promise<Table> {
  const attempts = place.isShort ? 500 : 10_000
  const telegram = await place.telegram()
  const redis = await place.redis()
  const rows: Row[] = []
  if (redis) {
    const client = new Redis(redis.url)
    place.finally(() => client.disconnect())
    const used = async () => Number(/used_memory:(\d+)/.exec(await client.info('memory'))?.[1])
    const before = await used()
    const order = { apiRoot: telegram.apiRoot, redisUrl: redis.url, dir: '', attempts }
    rows.push(...rowsOf('Redis', attempts, await opened(order), (await used()) - before))
  }
  const dir = await place.folder()
  const seen = await opened({ apiRoot: telegram.apiRoot, dir, attempts })
  rows.push(...rowsOf('SQLite', attempts, seen, await sizeOf(dir)))
  return {
    title: `${attempts.toLocaleString('en')} open attempts`,
    about:
      'People at question 566 of 1,000, each with a record and an attempt, who have just answered once. A process remembers the 5,000 it saw last; the others are read again with their next tap.',
    rows,
  }
}

function rowsOf(store: string, attempts: number, { heap, rss }: AttemptsSeen, kept: number): Row[] {
  return [
    {
      what: `${store}: process, more than before`,
      value: heap,
      show: megabytes,
      goal: { most: 50e6 },
      means: 'Heap and buffers after a collection.',
    },
    {
      what: `${store}: process in all`,
      value: rss,
      show: megabytes,
      goal: { most: 400e6 },
      means: 'Resident memory, of the 768 MB that it may have.',
    },
    {
      what: `${store}: store, each attempt`,
      value: kept / (attempts + FIRST),
      show: bytes,
      goal: { most: 5_000 },
      means:
        store === 'Redis'
          ? 'Memory that Redis uses more than before, record and attempt.'
          : 'Size of the files, record and attempt.',
    },
  ]
}

async function opened(order: AttemptsOrder): Promise<AttemptsSeen> {
  const file = fileURLToPath(new URL('./open-attempts-process.js', import.meta.url))
  const child = fork(file, { execArgv: ['--expose-gc'] })
  child.send(order)
  const seen = await messageFrom<AttemptsSeen>(child, 'rss')
  child.kill()
  return seen
}

async function sizeOf(dir: string): Promise<number> {
  const sizes = (await readdir(dir)).map(async (name) => (await stat(join(dir, name))).size)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
