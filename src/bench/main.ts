import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRedisStore } from '../store/redis.ts'
import { createSqliteStore } from '../store/sqlite.ts'
import { createBareAnswer } from './bare-grammy.ts'
import { loadBudget } from './budget-load.ts'
import { drawCards } from './card.ts'
import { startCountingProxy } from './counting-proxy.ts'
import { compareCpu, hotPathAt } from './cpu.ts'
import { createHotPath, QUESTIONS } from './hot-path.ts'
import { findRedisServer, type RedisServer, startRedis } from './redis-server.ts'
import { measureStart } from './start-time.ts'
import { bytes, count, microseconds, milliseconds, percent, printTable } from './table.ts'
import { startTelegramStub, type TelegramStub } from './telegram-stub.ts'
import { compareThroughput } from './webhook-throughput.ts'
import { takeWholeTest } from './whole-test.ts'

const PEOPLE_IN_FLIGHT = 32
/** As docker-compose.yml runs it: at most a second of answers waits for the disk. */
const AS_DEPLOYED = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'everysec'] as const

/** Measures what the design promises. Ratios compare contenders of one run; times are this machine's. */
async function main(): Promise<void> {
  const redis = await startOwnRedis()
  const telegram = await startTelegramStub()
  try {
    await printCpu(telegram, redis)
    if (redis) await printTraffic(telegram, redis)
    await printWholeTest()
    await printThroughput(telegram, redis)
    await printBudget()
    await printTimes()
  } finally {
    telegram.close()
    await redis?.remove()
  }
}

/** `undefined` where the program is not installed. */
async function startOwnRedis(args: readonly string[] = AS_DEPLOYED): Promise<RedisServer | undefined> {
  const program = findRedisServer()
  if (!program) return undefined
  return startRedis(program, await mkdtemp(join(tmpdir(), 'porsa-bench-')), args)
}

async function printCpu({ apiRoot }: TelegramStub, redis: RedisServer | undefined): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'porsa-bench-'))
  const embedded = await createSqliteStore({ dir, now: Date.now })
  const shared = redis && (await createRedisStore({ url: redis.url, now: Date.now }))
  const path = await createHotPath({ store: shared ?? embedded, apiRoot })
  const onEmbedded = await createHotPath({ store: embedded, apiRoot })
  const strangers = async (count: number) =>
    Array.from({ length: count }, (_, index) => ({ chatId: index + 1, s: 'abcdefgh', question: 0 }))

  const cpu = await compareCpu([
    { name: 'bare', people: strangers, answer: createBareAnswer(apiRoot, 'own') },
    { name: 'bare on our client', people: strangers, answer: createBareAnswer(apiRoot, 'ours') },
    hotPathAt(path, 0, '1'),
    hotPathAt(path, 566, '567'),
    hotPathAt(path, QUESTIONS - 40, '1000'),
    hotPathAt(onEmbedded, 0, 'embedded'),
  ])
  const { of, ratio } = cpu
  const at = shared ? 'on Redis' : 'embedded store'
  printTable(`CPU per answer, ${PEOPLE_IN_FLIGHT} in flight`, [
    { what: 'bare grammY', value: of('bare'), show: microseconds },
    { what: 'bare grammY with our HTTP client', value: of('bare on our client'), show: microseconds },
    { what: `ours (${at})`, value: of('1'), show: microseconds },
    { what: `ours ÷ bare grammY (${at})`, value: ratio('1', 'bare'), goal: { most: 1.3 } },
    {
      what: `ours ÷ bare grammY with our HTTP client (${at})`,
      value: ratio('1', 'bare on our client'),
      goal: { most: 1.3 },
    },
    { what: 'ours ÷ bare grammY (embedded store)', value: ratio('embedded', 'bare'), goal: { most: 1.3 } },
    { what: 'question 567 ÷ question 1', value: ratio('567', '1'), goal: { most: 1.05 } },
    { what: 'question 1000 ÷ question 1', value: ratio('1000', '1'), goal: { most: 1.05 } },
  ])
  await Promise.all([embedded.close(), shared?.close()])
  await rm(dir, { recursive: true })
}

async function printTraffic({ apiRoot }: TelegramStub, redis: RedisServer): Promise<void> {
  const proxy = await startCountingProxy(redis.port)
  const store = await createRedisStore({ url: `redis://127.0.0.1:${proxy.port}`, now: Date.now })
  const path = await createHotPath({ store, apiRoot })
  const [person] = await path.people(1, 466)
  if (!person) return
  await path.answer(person)
  proxy.take()
  const answers = 100
  for (let answered = 0; answered < answers; answered += 1) await path.answer(person)
  const taken = proxy.take()
  printTable('What an answer costs the store (Redis)', [
    { what: 'commands', value: taken.commands / answers, show: count, goal: { most: 1 } },
    { what: 'bytes, request and reply', value: taken.bytes / answers, show: bytes, goal: { most: 150 } },
    { what: 'sitting after 567 answers', value: await path.kept(person), show: bytes, goal: { most: 750 } },
  ])
  await store.close()
  await proxy.close()
}

async function printWholeTest(): Promise<void> {
  const { serviceCalls, telegramCallsPerAnswer } = await takeWholeTest()
  printTable('Calls', [
    { what: 'Bot API, per answer', value: telegramCallsPerAnswer, show: count, goal: { most: 2 } },
    {
      what: 'service, a whole test with SMS and both results',
      value: serviceCalls.length,
      show: count,
      goal: { most: 7 },
    },
  ])
}

async function printThroughput(telegram: TelegramStub, redis: RedisServer | undefined): Promise<void> {
  const stores = [
    ...(redis ? [{ name: 'on Redis', url: redis.url }] : []),
    { name: 'embedded store', url: undefined },
  ]
  const rows = []
  for (const { name, url } of stores) {
    const value = await compareThroughput(telegram, url)
    rows.push({ what: `ours ÷ bare grammY (${name})`, value, goal: { least: 0.95 } })
  }
  printTable('Answers a second over the webhook', rows)
}

async function printBudget(): Promise<void> {
  // Time is fast there, and a disk is not.
  const redis = await startOwnRedis(['--save', ''])
  if (!redis) return
  const { refused, usedShare, waits, redisShare, standstillMs } = await loadBudget(redis)
  await redis.remove()
  const wait = (share: number) => waits[Math.floor((waits.length - 1) * share)] ?? Number.NaN
  printTable('The API budget of 4 replicas in an hour, 500 background calls always queued', [
    { what: '429s', value: refused, show: count, goal: { most: 0 } },
    { what: 'used', value: usedShare, show: percent, goal: { least: 0.98 } },
    { what: 'participants wait, median', value: wait(0.5), show: milliseconds, goal: { most: 200 } },
    { what: 'participants wait, p95', value: wait(0.95), show: milliseconds, goal: { most: 1_000 } },
    { what: 'participants wait, longest', value: wait(1), show: milliseconds },
    { what: 'this machine stood still, longest', value: standstillMs, show: milliseconds },
    { what: 'Redis, of one core', value: redisShare, show: percent },
  ])
}

async function printTimes(): Promise<void> {
  const { totalMs, loopMs } = await drawCards()
  printTable('Times of this machine', [
    { what: 'result card, from data to PNG', value: totalMs, show: milliseconds, goal: { most: 50 } },
    { what: 'result card, event loop busy', value: loopMs, show: milliseconds },
    {
      what: 'start, until updates are taken',
      value: await measureStart(),
      show: milliseconds,
      goal: { most: 1_000 },
    },
  ])
}

await main()
