import type { Place } from './place.ts'
import type { Person } from './questionnaire.ts'
import { median, microseconds, middle, type Row, type Table } from './table.ts'
import type { TelegramStub } from './telegram-stub.ts'
import { startWebhookServer, type Way, type WebhookServer } from './webhook-server.ts'

const PEOPLE = 32
const ANSWERS = 16
const WARM_ROUNDS = 4
/** A process is restarted before its people reach their last question. */
const MOST_ROUNDS = 40
const WAYS: readonly Way[] = ['bare', 'ours', 'grammy']

/** CPU time per answer and answers per second over the webhook, against F0 and bare grammY. */
export async function measureWebhook(place: Place): Promise<Table> {
  const rounds = place.isShort ? 4 : MOST_ROUNDS
  const telegram = await place.telegram()
  const shown = screensOf(telegram)
  const redis = await place.redis()
  const rows: Row[] = []
  if (redis)
    rows.push(...rowsOf('Redis', await compare(place, { telegram, shown, rounds, redisUrl: redis.url })))
  rows.push(...rowsOf('SQLite', await compare(place, { telegram, shown, rounds })))
  return {
    title: 'An answer over the webhook',
    about: `Each way is a process that receives the same posts; ${PEOPLE} people tap, wait for the next question and tap again. Its CPU is what \`process.cpuUsage\` tells. *F0* reads the post, keeps the answer in one script of Redis or one transaction of SQLite, and makes two raw calls. ${rounds} rounds.`,
    rows,
  }
}

type Measured = Record<Way, { cpuUs: number[]; perSecond: number[] }>

function rowsOf(store: string, measured: Measured): Row[] {
  const to = (way: Way, figure: 'cpuUs' | 'perSecond') =>
    measured[way][figure].map((value, round) => value / (measured.bare[figure][round] ?? Number.NaN))
  const goal = { most: 1.5 }
  const show = microseconds
  return [
    {
      what: `${store} ÷ F0`,
      ...middle(to('ours', 'cpuUs')),
      goal,
      means: 'CPU of the process for an answer.',
    },
    {
      what: `${store}, answers a second ÷ F0`,
      ...middle(to('ours', 'perSecond')),
      goal: { least: 0.75 },
      means: 'Telegram, Redis and those who tap share the cores.',
    },
    { what: `${store}: bare grammY ÷ F0`, ...middle(to('grammy', 'cpuUs')), means: 'It keeps nothing.' },
    { what: `${store}, CPU`, value: median(measured.ours.cpuUs), show, means: 'Of this machine.' },
    { what: `F0 on ${store}, CPU`, value: median(measured.bare.cpuUs), show, means: 'Of this machine.' },
  ]
}

type Shown = (chatId: number) => Promise<void>
type Compared = { telegram: TelegramStub; shown: Shown; rounds: number; redisUrl?: string }

/** All ways run in every round, and another one begins each time. */
async function compare(place: Place, { telegram, shown, rounds, redisUrl }: Compared): Promise<Measured> {
  const servers = new Map<Way, WebhookServer>()
  for (const way of WAYS) {
    const order = { apiRoot: telegram.apiRoot, people: PEOPLE, dir: await place.folder(), way }
    servers.set(way, await startWebhookServer({ ...order, ...(redisUrl && { redisUrl }) }))
  }
  const measured: Measured = { bare: nothing(), ours: nothing(), grammy: nothing() }
  // The first rounds make the code warm, and let the bot read what it reads once.
  for (let round = -WARM_ROUNDS; round < rounds; round += 1) {
    for (let turn = 0; turn < WAYS.length; turn += 1) {
      const way = WAYS[(round + WARM_ROUNDS + turn) % WAYS.length] as Way
      const server = servers.get(way) as WebhookServer
      const { cpuUs, perSecond } = await measure(server, shown)
      if (round < 0) continue
      measured[way].cpuUs.push(cpuUs)
      measured[way].perSecond.push(perSecond)
    }
  }
  await Promise.all([...servers.values()].map((server) => server.stop()))
  return measured
}

const nothing = () => ({ cpuUs: [] as number[], perSecond: [] as number[] })

async function measure(server: WebhookServer, shown: Shown): Promise<{ cpuUs: number; perSecond: number }> {
  const cpuMs = await server.cpuMs()
  const startedAt = performance.now()
  await Promise.all(server.crowd.map((person) => answerInARow(server, person, shown)))
  const answers = server.crowd.length * ANSWERS
  const perSecond = (answers * 1_000) / (performance.now() - startedAt)
  return { cpuUs: (((await server.cpuMs()) - cpuMs) * 1_000) / answers, perSecond }
}

async function answerInARow(server: WebhookServer, person: Person, shown: Shown): Promise<void> {
  for (let answered = 0; answered < ANSWERS; answered += 1) {
    const next = shown(person.chatId)
    await server.tap(person)
    await next
  }
}

/** Resolves when the next edit of a chat has reached Telegram. */
function screensOf(telegram: TelegramStub): Shown {
  const waiting = new Map<number, () => void>()
  telegram.onEdit(({ chatId }) => waiting.get(chatId)?.())
  return (chatId) => new Promise((resolve) => waiting.set(chatId, resolve))
}
