import { createRedisStore } from '../../src/storage/redis.ts'
import { startCountingProxy } from './counting-proxy.ts'
import { createHotPath } from './hot-path.ts'
import type { Place } from './place.ts'
import { bytes, count, type Row, type Table } from './table.ts'
import { takeWholeTest } from './whole-test.ts'

const ANSWERS = 100

/** What an answer sends to store and Telegram, and a whole test to the service; equal on every machine. */
export async function measureTraffic(place: Place): Promise<Table> {
  const { serviceCalls, telegramCallsPerAnswer } = await takeWholeTest()
  return {
    title: 'Commands, bytes and calls',
    about: 'Counted on the wire; the same on every machine.',
    rows: [
      ...(await storeRows(place)),
      {
        what: 'Bot API calls, per answer',
        value: telegramCallsPerAnswer,
        show: count,
        goal: { most: 2 },
        means: 'The acknowledgement and the edit, by the whole bot, over six answers.',
      },
      {
        what: 'service calls, a whole test',
        value: serviceCalls.length,
        show: count,
        goal: { most: 7 },
        means: 'From the link to both forms of the result, with SMS and a standalone test.',
      },
    ],
  }
}

async function storeRows(place: Place): Promise<Row[]> {
  const redis = await place.redis()
  if (!redis) return []
  const { apiRoot } = await place.telegram()
  const proxy = await startCountingProxy(redis.port)
  place.finally(() => proxy.close())
  const store = await createRedisStore({ url: `redis://127.0.0.1:${proxy.port}`, now: Date.now })
  place.finally(() => store.close())
  const path = await createHotPath({ store, apiRoot })
  const [person] = await path.people(1, 567 - ANSWERS - 1)
  if (!person) return []
  await path.answer(person)
  proxy.take()
  for (let answered = 0; answered < ANSWERS; answered += 1) await path.answer(person)
  const taken = proxy.take()
  return [
    {
      what: 'Redis commands, per answer',
      value: taken.commands / ANSWERS,
      show: count,
      goal: { most: 1 },
      means: `Seen by a proxy between bot and Redis, over ${ANSWERS} answers.`,
    },
    {
      what: 'Redis bytes, per answer',
      value: taken.bytes / ANSWERS,
      show: bytes,
      goal: { most: 150 },
      means: 'Request and reply together.',
    },
    {
      what: 'an attempt of 567 answers',
      value: await path.kept(person),
      show: bytes,
      goal: { most: 750 },
      means: 'The value that is kept, header and encrypted answers.',
    },
  ]
}
