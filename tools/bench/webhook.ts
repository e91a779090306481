import type { Place } from './place.ts'
import { markdown, median, middle, perSecond, type Row } from './table.ts'
import type { TelegramStub } from './telegram-stub.ts'
import { startWebhookServer, type WebhookServer } from './webhook-server.ts'

const PEOPLE = 400
const CALLS_PER_ANSWER = 2
const WARM_ROUNDS = 3
const REPLICAS = [1, 2, 4] as const

/** Answers a second over the webhook, every screen drawn: one process against a bare one, and several on one Redis. */
export async function measureWebhook(place: Place): Promise<string> {
  const telegram = await place.telegram()
  const redis = await place.redis()
  const rounds = place.isShort ? 2 : 20
  const stores = [...(redis ? [{ name: 'Redis', url: redis.url }] : []), { name: 'SQLite', url: undefined }]
  const rows: Row[] = []
  for (const { name, url } of stores) {
    const { ours, ratios } = await compare(place, telegram, url, rounds)
    rows.push(
      {
        what: `${name}: one process ÷ bare grammY`,
        ...middle(ratios),
        goal: { least: 0.95 },
        means: 'Answers a second by one process, as a multiple of a bare bot that keeps nothing.',
      },
      {
        what: `${name}: one process`,
        ...middle(ours),
        show: perSecond,
        means: 'The same as a number; a process uses one core.',
      },
    )
  }
  if (redis)
    for (const count of REPLICAS) rows.push(await replicas(place, telegram, redis.url, count, rounds))
  return markdown({
    title: 'Answers a second over the webhook',
    about: `${PEOPLE} people tap at once and again when all screens are drawn, over ${rounds} rounds. Redis, Telegram and whoever sends the taps share the cores with the bot.`,
    rows,
  })
}

async function compare(place: Place, telegram: TelegramStub, redisUrl: string | undefined, rounds: number) {
  const order = {
    apiRoot: telegram.apiRoot,
    people: PEOPLE,
    dir: await place.folder(),
    ...(redisUrl && { redisUrl }),
  }
  const ours = await startWebhookServer({ ...order, bare: false })
  const bare = await startWebhookServer({ ...order, bare: true })
  const rates: { ours: number; bare: number }[] = []
  // The first rounds make the code warm, and the bot read what it reads once.
  for (let round = -WARM_ROUNDS; round < rounds; round += 1) {
    const rate = { ours: await rateOf(telegram, [ours]), bare: await rateOf(telegram, [bare]) }
    if (round >= 0) rates.push(rate)
  }
  await Promise.all([ours.stop(), bare.stop()])
  return { ours: rates.map((rate) => rate.ours), ratios: rates.map((rate) => rate.ours / rate.bare) }
}

async function replicas(
  place: Place,
  telegram: TelegramStub,
  redisUrl: string,
  count: number,
  rounds: number,
): Promise<Row> {
  const order = { apiRoot: telegram.apiRoot, people: Math.ceil(PEOPLE / count), dir: await place.folder() }
  const servers = await Promise.all(
    Array.from({ length: count }, () => startWebhookServer({ ...order, redisUrl, bare: false })),
  )
  const rates: number[] = []
  for (let round = -WARM_ROUNDS; round < rounds; round += 1) {
    const rate = await rateOf(telegram, servers)
    if (round >= 0) rates.push(rate)
  }
  await Promise.all(servers.map((server) => server.stop()))
  return {
    what: `Redis: ${count} ${count === 1 ? 'replica' : 'replicas'}`,
    ...middle(rates),
    value: median(rates),
    show: perSecond,
    means: 'Answers a second by so many processes on one Redis.',
  }
}

/** Everybody taps once; answers a second until the last screen is drawn. */
async function rateOf(telegram: TelegramStub, servers: readonly WebhookServer[]): Promise<number> {
  const people = servers.reduce((sum, { crowd }) => sum + crowd.length, 0)
  await telegram.take()
  const startedAt = performance.now()
  await Promise.all(servers.map((server) => server.tapAll()))
  await telegram.reached(CALLS_PER_ANSWER * people)
  return people / ((performance.now() - startedAt) / 1_000)
}
