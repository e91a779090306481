import { setTimeout as sleep } from 'node:timers/promises'
import type { Place } from './place.ts'
import type { Person } from './questionnaire.ts'
import { median, milliseconds, quantile, type Row, type Table } from './table.ts'
import type { Rendered } from './telegram-stub.ts'
import { startWebhookServer, type WebhookServer } from './webhook-server.ts'

const RATES = [200] as const
/** A person does not tap again within a second. */
const PEOPLE = 1_000
const SETTLE_MS = 1_000
const GOALS = { median: 20, p99: 100 }

/** How long a tap takes until the next question is at Telegram, at a steady rate. */
export async function measureLatency(place: Place): Promise<Table> {
  const telegram = await place.telegram()
  const rendered: Rendered[] = []
  telegram.onEdit((edit) => rendered.push(edit))
  const redis = await place.redis()
  const seconds = place.isShort ? 1 : 8
  const rows: Row[] = []
  for (const [name, redisUrl] of [
    ['Redis', redis?.url],
    ['SQLite', undefined],
  ] as const) {
    if (name === 'Redis' && !redisUrl) continue
    const order = {
      apiRoot: telegram.apiRoot,
      people: PEOPLE,
      dir: await place.folder(),
      way: 'ours',
    } as const
    const server = await startWebhookServer({ ...order, ...(redisUrl && { redisUrl }) })
    // The process has now read what it reads once per attempt.
    await server.tapInTurn()
    for (const rate of RATES)
      rows.push(...rowsOf(name, rate, await tapSteadily(server, rendered, rate, seconds)))
    await server.stop()
  }
  return {
    title: 'How long a tap takes',
    about: `One process; taps come over the webhook at a steady rate for ${seconds} s, whether the last one is done or not. Measured from the moment at which a tap should leave until the edit with the next question has reached Telegram.`,
    rows,
  }
}

function rowsOf(store: string, rate: number, { took, lost }: Latency): Row[] {
  const what = `${store}, ${rate} a second`
  const show = milliseconds
  return [
    {
      what: `${what}: median`,
      value: median(took),
      show,
      goal: { most: GOALS.median },
      means: 'Half of the taps are faster.',
    },
    {
      what: `${what}: p99`,
      value: quantile(took, 0.99),
      show,
      goal: { most: GOALS.p99 },
      means:
        lost === 0
          ? 'One of a hundred is slower.'
          : `One of a hundred is slower; ${lost} screens were left out for newer ones.`,
    },
  ]
}

type Latency = { took: number[]; lost: number }

async function tapSteadily(
  server: WebhookServer,
  rendered: Rendered[],
  rate: number,
  seconds: number,
): Promise<Latency> {
  await sleep(SETTLE_MS)
  rendered.length = 0
  const left = new Map<number, number[]>()
  const sent: Promise<void>[] = []
  const startedAt = monotonicMs()
  for (let tap = 0; tap < rate * seconds; tap += 1) {
    const dueAt = startedAt + (tap * 1_000) / rate
    const earlyMs = dueAt - monotonicMs()
    if (earlyMs > 1) await sleep(earlyMs)
    const person = server.crowd[tap % PEOPLE] as Person
    left.set(person.chatId, [...(left.get(person.chatId) ?? []), dueAt])
    sent.push(server.tap(person))
  }
  await Promise.all(sent)
  await sleep(SETTLE_MS)
  return latencyOf(left, rendered)
}

/** The edits of a chat arrive in the order of its taps. */
function latencyOf(left: ReadonlyMap<number, readonly number[]>, rendered: readonly Rendered[]): Latency {
  const seen = new Map<number, number>()
  const took: number[] = []
  for (const { chatId, at } of rendered) {
    const nth = seen.get(chatId) ?? 0
    seen.set(chatId, nth + 1)
    const dueAt = left.get(chatId)?.[nth]
    if (dueAt !== undefined) took.push(at - dueAt)
  }
  const taps = [...left.values()].reduce((sum, { length }) => sum + length, 0)
  return { took, lost: taps - took.length }
}

/** A clock that all processes of a machine share. */
const monotonicMs = () => Number(process.hrtime.bigint()) / 1e6
