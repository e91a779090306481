import { createRedisStore } from '../../src/storage/redis.ts'
import { createSqliteStore } from '../../src/storage/sqlite.ts'
import type { Store } from '../../src/storage/store.ts'
import { createBareBot } from './bare-grammy.ts'
import { type Comparison, type Contender, compareCpu } from './cpu.ts'
import { createHotPath } from './hot-path.ts'
import { createNoFramework, type Keep, keepInRedis, keepInSqlite, newcomers } from './no-framework.ts'
import type { Place } from './place.ts'
import { QUESTIONS, tapOf } from './questionnaire.ts'
import { median, microseconds, middle, type Row, type Table } from './table.ts'

const LOAD = { people: 32, answers: 16 }
const BARE = 'bare grammY'
/** Upper limits, as multiples of F0. */
const GOALS = { Redis: 1.3, SQLite: 1.5 }
type StoreName = keyof typeof GOALS
/** The question at which people begin, counted from 1; the last one leaves room for a whole round. */
const STANDS = { first: 1, last: QUESTIONS - 2 * LOAD.answers }
type Stand = keyof typeof STANDS

const ours = (store: StoreName, stand: Stand) => `${store}, question ${STANDS[stand]}`
const bareOf = (store: StoreName) => `F0 on ${store}`

/** The CPU cost of an answer, from the update to the next question, against F0 and bare grammY. */
export async function compareAnswers(place: Place): Promise<Table> {
  const rounds = place.isShort ? 4 : 40
  const { apiRoot } = await place.telegram()
  const bot = createBareBot(apiRoot)
  const bare = {
    name: BARE,
    people: crowd,
    answer: (person) => bot.handleUpdate(tapOf(person)),
  } satisfies Contender
  const stores = [...(await onRedis(place, apiRoot)), ...(await onSqlite(place, apiRoot))]
  const cpu = await compareCpu([bare, ...stores.flatMap(({ contenders }) => contenders)], { ...LOAD, rounds })
  return {
    title: 'An answer',
    about: `CPU of the process for an answer, from the update to the next question on the screen, ${LOAD.people} in flight. *F0* is no framework: one script of Redis, or one transaction of SQLite, and two raw calls; it checks, counts, logs and encrypts nothing. *Bare grammY* makes the two calls and keeps nothing. Of Redis' own work, in a process of its own, nothing is counted; SQLite works, and syncs the disk, in the bot's. ${rounds} rounds.`,
    rows: [
      ...stores.flatMap(({ store }) => rowsOf(cpu, store)),
      {
        what: `${BARE} ÷ F0`,
        ...middle(cpu.ratios(BARE, bareOf(stores[0]?.store ?? 'SQLite'))),
        means: 'Keeps nothing.',
      },
    ],
  }
}

function rowsOf(cpu: Comparison, store: StoreName): Row[] {
  const [first, last] = [ours(store, 'first'), ours(store, 'last')]
  return [
    {
      what: `${store} ÷ F0`,
      ...middle(cpu.ratios(first, bareOf(store))),
      goal: { most: GOALS[store] },
      means: 'In one process.',
    },
    {
      what: `${store}, question ${STANDS.last} ÷ question ${STANDS.first}`,
      ...middle(cpu.ratios(last, first)),
      goal: { most: 1.05 },
      means: 'Whether it grows with the answers.',
    },
    { what: `${store}, CPU`, value: median(cpu.of(first)), show: microseconds, means: 'Of this machine.' },
    {
      what: `F0 on ${store}, CPU`,
      value: median(cpu.of(bareOf(store))),
      show: microseconds,
      means: 'Of this machine.',
    },
  ]
}

const crowd = async (count: number) => newcomers(count)

type OnStore = { store: StoreName; contenders: Contender[] }

async function onRedis(place: Place, apiRoot: string): Promise<OnStore[]> {
  const redis = await place.redis()
  if (!redis) return []
  const store = await createRedisStore({ url: redis.url, now: Date.now })
  place.finally(() => store.close())
  const { keep, close } = await keepInRedis(redis.url)
  place.finally(close)
  return [await contendersOn('Redis', { store, keep, apiRoot })]
}

async function onSqlite(place: Place, apiRoot: string): Promise<OnStore[]> {
  const store = await createSqliteStore({ dir: await place.folder(), now: Date.now })
  place.finally(() => store.close())
  const { keep, close } = keepInSqlite(await place.folder())
  place.finally(close)
  return [await contendersOn('SQLite', { store, keep, apiRoot })]
}

async function contendersOn(
  name: StoreName,
  { store, keep, apiRoot }: { store: Store; keep: Keep; apiRoot: string },
): Promise<OnStore> {
  const path = await createHotPath({ store, apiRoot })
  const bare = createNoFramework(apiRoot, keep)
  const standing = (stand: Stand): Contender => ({
    name: ours(name, stand),
    people: (count) => path.people(count, STANDS[stand] - 1),
    answer: path.answer,
  })
  const without: Contender = {
    name: bareOf(name),
    people: crowd,
    answer: async (person) => void (await (await bare(tapOf(person))).shown),
  }
  return { store: name, contenders: [without, standing('first'), standing('last')] }
}
