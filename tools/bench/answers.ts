import { RedisAdapter } from '@grammyjs/storage-redis'
import type { Redis } from 'ioredis'
import { createRedisStore } from '../../src/store/redis.ts'
import { createSqliteStore } from '../../src/store/sqlite.ts'
import { type Answers, answerBy, type Client, createBareBot, createSessionBot } from './bare-grammy.ts'
import { type Comparison, type Contender, compareCpu, type Load } from './cpu.ts'
import { createHotPath, type HotPath } from './hot-path.ts'
import type { Place } from './place.ts'
import { QUESTIONS } from './questionnaire.ts'
import { median, middle } from './table.ts'

/** At which question people stand, counted from 1. */
const AT = [1, 100, 567, 1_000] as const
const CLIENTS: readonly Client[] = ['ours', 'own']
type Goals = readonly (number | undefined)[]

/** At most, in the order of the columns: for a crowd; a single tap pays alone for its write to the store. */
const GOALS: Readonly<Record<string, Goals>> = {
  Redis: [1.15, 1.15, 1, 1, 1.05],
  SQLite: [undefined, 1.3, undefined, 1, 1.05],
}
const NO_GOALS: Goals = [undefined, undefined, undefined, undefined, 1.05]

/** What an answer costs, from the update to the next question on the screen, against bots that are as lean as can be. */
export async function compareAnswers(place: Place): Promise<string> {
  const { apiRoot } = await place.telegram()
  const contenders = [...bareOnes(apiRoot), ...(await oursAndSessions(place, apiRoot))]
  const stores = ['Redis', 'SQLite'].filter((name) => contenders.some((one) => one.name === nameOf(name, 1)))
  const rounds = place.isShort ? 2 : 40
  const sections = []
  for (const load of [
    { people: 32, answers: 16, rounds },
    { people: 1, answers: 64, rounds },
  ]) {
    sections.push(tableOf(await compareCpu(contenders, load), stores, load))
  }
  return `## An answer

CPU of the bot's process for an answer, from the update to the next question on the screen. *Bare* is a bot in grammY that
acknowledges the tap and edits the message, and keeps nothing; *session* is the same with grammY's session on storage-redis, which
keeps each answer. Both take the update by \`handleUpdate\`, once over our HTTP client and once over the one that grammY brings
along. Ours checks, encrypts and keeps the answer, counts and logs it. A question's number is where the people stand; *÷ first* compares
with the same store at question 1. Of Redis' own work, in a process of its own, nothing is counted; SQLite works, and syncs the disk,
in the bot's. Beside a ratio stands its goal, where it has one: a single tap pays alone for a write that a crowd shares. ${rounds} rounds.

${sections.join('\n')}`
}

const nameOf = (store: string, question: number) => `${store}, question ${question}`
const sessionOf = (client: Client, question: number) => `session ${client} ${question}`

function bareOnes(apiRoot: string): Contender[] {
  const people = async (count: number) =>
    Array.from({ length: count }, (_, index) => ({ chatId: index + 1, s: 'abcdefgh', question: 0 }))
  return CLIENTS.map((client) => ({
    name: `bare ${client}`,
    people,
    answer: answerBy(createBareBot(apiRoot, client)),
  }))
}

async function oursAndSessions(place: Place, apiRoot: string): Promise<Contender[]> {
  const embedded = await createSqliteStore({ dir: await place.folder(), now: Date.now })
  place.finally(() => embedded.close())
  const ours = (store: string, path: HotPath) =>
    AT.map((question) => ({
      name: nameOf(store, question),
      people: (count: number) => path.people(count, standAt(question)),
      answer: path.answer,
    }))
  const onSqlite = ours('SQLite', await createHotPath({ store: embedded, apiRoot }))
  const redis = await place.redis()
  if (!redis) return onSqlite
  const shared = await createRedisStore({ url: redis.url, now: Date.now })
  place.finally(() => shared.close())
  const onRedis = ours('Redis', await createHotPath({ store: shared, apiRoot }))
  // It knows single servers by name, as the one of the benchmark is.
  const storage = new RedisAdapter<Answers>({ instance: shared.redis as Redis })
  return [...onRedis, ...onSqlite, ...sessions(apiRoot, storage)]
}

function sessions(apiRoot: string, storage: RedisAdapter<Answers>): Contender[] {
  let last = 8_000_000_000
  const stand = async (question: number) => {
    last += 1
    const answers = Array.from({ length: question }, (_, index) => index % 5)
    await storage.write(String(last), { answers })
    return { chatId: last, s: 'abcdefgh', question }
  }
  return CLIENTS.flatMap((client) => {
    const answer = answerBy(createSessionBot(apiRoot, client, storage))
    return AT.map((question) => ({
      name: sessionOf(client, question),
      people: (count: number) => Promise.all(Array.from({ length: count }, () => stand(standAt(question)))),
      answer,
    }))
  })
}

/** Who stands at the last question begins so far before it that all of a round's answers can be given. */
const standAt = (question: number): number => Math.min(question - 1, QUESTIONS - 70)

function tableOf(cpu: Comparison, stores: readonly string[], { people }: Load): string {
  const lines = stores.flatMap((store) => {
    const goals = people > 1 ? (GOALS[store] ?? []) : NO_GOALS
    return AT.map((question) => lineOf(cpu, store, question, goals))
  })
  const baseline = (client: Client) => `${Math.round(median(cpu.of(`bare ${client}`)))} µs`
  return `**${people} in flight** (bare: ${baseline('ours')} over our client, ${baseline('own')} over grammY's own)

| | CPU | ÷ bare, our client | ÷ bare, its own | ÷ session, our client | ÷ session, its own | ÷ first |
| --- | --- | --- | --- | --- | --- | --- |
${lines.join('\n')}
`
}

function lineOf(cpu: Comparison, store: string, question: number, goals: Goals): string {
  const name = nameOf(store, question)
  const to = [
    'bare ours',
    'bare own',
    sessionOf('ours', question),
    sessionOf('own', question),
    nameOf(store, 1),
  ]
  const ratios = to.map((other, index) => cellOf(cpu.ratios(name, other), goals[index]))
  return `| ${name} | ${Math.round(median(cpu.of(name)))} µs | ${ratios.join(' | ')} |`
}

function cellOf(ratios: readonly number[], goal: number | undefined): string {
  if (ratios.length === 0 || ratios.some(Number.isNaN)) return '–'
  const { value, spread } = middle(ratios)
  const shown = `${value.toFixed(2)} (${spread.from.toFixed(2)}–${spread.to.toFixed(2)})`
  if (goal === undefined) return shown
  return `${shown} ≤ ${goal} ${value <= goal ? '✓' : '**missed**'}`
}
