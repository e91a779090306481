import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PersonDriver } from '../emulator/emulator.ts'
import { defineTest, type Sandbox } from '../sandbox/sandbox.ts'
import { startBot } from './bot-process.ts'
import type { Place } from './place.ts'
import { freePort } from './redis-server.ts'
import { createSurroundings } from './surroundings.ts'
import { count, milliseconds, quantile, type Row, type Table } from './table.ts'

const PEOPLE = 8
const GOALS = { p90: 500, worst: 2_000, sent: 10_000, word: 2_000 }
const limits = { perMinute: 100, perHour: 3_000 }
/** The least time in which a person reads a question. */
const READS_MS = 400
const SECRET = 'only-telegram-knows-this'

const scales = {
  warm: { title: 'گرما', tone: 'strength', low: 'کم', middle: 'میانه', high: 'زیاد' },
} as const
const testOf = (id: string, questions: number, text: string, answers = ['نه', 'شاید', 'بله']) =>
  defineTest({
    ...{ id, title: id, about: 'برای سنجش.', minutes: 3, answers, scales },
    sections: [
      {
        title: 'پرسش‌ها',
        items: Array.from({ length: questions }, (_, nth) => ['warm', `${nth + 1} ${text}`]),
      },
    ],
  })

const tests = [
  testOf('long', 500, 'جمله'),
  testOf('short', 2, 'جمله'),
  testOf('label', 3, 'جمله', ['ا'.repeat(3_700_000), 'بله']),
  testOf('heavy', 80, 'ب'.repeat(500_000)),
]

type Crowd = Awaited<ReturnType<typeof gather>>

/** Each attack repeats its calls until the returned function ends it. */
const attacks: Readonly<Record<string, (crowd: Crowd) => () => unknown>> = {
  'nobody else': () => () => undefined,
  '60 groups refused with 429': ({ emulator, posts }) => {
    const flood = emulator.fault({
      ...{ kind: 'flood', retryAfter: 20, times: Number.POSITIVE_INFINITY },
      when: ({ chat_id: chat }) => Number(chat) < 0,
    })
    let nth = 0
    const end = every(50, () => {
      const chat = { id: -(nth % 60) - 1, type: 'group', title: 'x' }
      const date = Math.floor(Date.now() / 1_000) + Math.floor(nth / 60) * 86_400
      nth += 1
      return posts({ message: { message_id: nth, date, chat, text: `/start@${emulator.username}` } })
    })
    return () => [end(), flood.end()]
  },
  'hostile questionnaires': ({ emulator, sandbox, takes }) => {
    let nth = 0
    return every(1_500, () => {
      const token = sandbox.addRecord({ testId: nth++ % 2 === 0 ? 'label' : 'heavy', authRequired: false })
      void takes(emulator.person(), token).catch(() => undefined)
    })
  },
  'nested messages, silent sockets': ({ port, posts }) => {
    const sockets: Socket[] = []
    const nested = `{"update_id":1,"message":${'['.repeat(5_000)}${']'.repeat(5_000)}}`
    const end = every(50, () => {
      for (let nth = 0; nth < 20 && sockets.length < 3_000; nth += 1)
        sockets.push(connect(port, '127.0.0.1').on('error', () => undefined))
      return posts(nested)
    })
    return () => [end(), ...sockets.map((socket) => socket.destroy())]
  },
  // Last, because from then on links that no account has claimed have to wait.
  'made-up links, ten a second': ({ emulator }) => {
    const strangers = Array.from({ length: 40 }, () => emulator.person())
    let nth = 0
    return every(100, () => strangers[nth++ % strangers.length]?.start(`record_${randomUUID()}`))
  },
}

/** How long people who answer wait while strangers attack, with the rate limits of the service. */
export async function measureStrangers(place: Place): Promise<Table> {
  const redis = await place.redis()
  const rows: Row[] = []
  for (const [store, url] of [
    ['SQLite', undefined],
    ['Redis', redis?.url],
  ] as const) {
    if (store === 'Redis' && !url) continue
    const crowd = await gather(place, url === undefined ? {} : { REDIS_URL: url })
    for (const [name, attack] of Object.entries(attacks)) {
      const found = await during(crowd, attack, place.isShort ? 5_000 : 30_000)
      console.error(
        store,
        name,
        found.taps.length,
        Math.round(quantile(found.taps, 0.5)),
        Math.round(quantile(found.taps, 0.9)),
        Math.round(quantile(found.taps, 1)),
        Math.round(found.sentMs),
        Math.round(found.wordMs),
        found.calls,
        Math.round(found.bytes / 1e6),
        Math.round(performance.now() / 1000),
      )
      rows.push(...rowsOf(`${store}, ${name}`, found))
    }
  }
  return {
    title: 'While strangers do what they can',
    about: `One process of the bot behind a webhook, with limits of ${limits.perMinute} calls a minute; ${PEOPLE} people answer, one sends, one comes.`,
    rows,
  }
}

/** Starts the bot and people who have begun to answer. */
async function gather(place: Place, environment: Record<string, string>) {
  const port = await freePort()
  const { sandbox, emulator, env, close } = await createSurroundings({ tests, rateLimits: limits })
  place.finally(close)
  const url = `http://127.0.0.1:${port}/telegram`
  const own = { PORT: String(port), WEBHOOK_URL: url, WEBHOOK_SECRET: SECRET, LOG_LEVEL: 'info' }
  const bot = await startBot({ ...env, ...own, ...environment })
  place.finally(() => bot.stop())
  const headers = { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': SECRET }
  let updates = 1e9
  const takes = async (person: PersonDriver, token: string) => {
    person.start(`record_${token}`)
    await shows(person, /^begin:/)
    person.tap(/^begin:/)
    await shows(person, /^a:/)
  }
  async function begins(testId: string) {
    const person = emulator.person()
    const token = sandbox.addRecord({ testId, authRequired: false })
    await takes(person, token)
    return { person, token }
  }
  const people: PersonDriver[] = []
  for (let nth = 0; nth < PEOPLE; nth += 1) people.push((await begins('long')).person)
  // One sender for each attack: later the strangers have used up the budget for unclaimed links.
  const senders: Awaited<ReturnType<typeof begins>>[] = []
  for (const _ of Object.keys(attacks)) {
    const sender = await begins('short')
    for (let answered = 0; answered < 2; answered += 1) await answer(sender.person)
    senders.push(sender)
  }
  /** Sends the bot an update, as Telegram does. */
  const posts = (update: object | string) => {
    const body = typeof update === 'string' ? update : JSON.stringify({ update_id: ++updates, ...update })
    return fetch(url, { method: 'POST', headers, body }).catch(() => undefined)
  }
  return { ...{ sandbox, emulator, people, senders, port, takes, posts }, bytes: () => bot.bytes() }
}

type Found = { taps: number[]; sentMs: number; wordMs: number; calls: number; bytes: number }

/** What people experience while an attack goes on. */
async function during(crowd: Crowd, attack: (crowd: Crowd) => () => unknown, forMs: number): Promise<Found> {
  const { sandbox, emulator, people, senders } = crowd
  const { person: sender, token } = senders.pop() ?? raise()
  const before = sandbox.calls.length
  const end = attack(crowd)
  const endsAt = Date.now() + forMs
  const taps: number[] = []
  const answering = people.map(async (person) => {
    while (Date.now() < endsAt) {
      taps.push(await answer(person))
      await sleep(READS_MS)
    }
  })
  // In the middle of the attack.
  await sleep(forMs / 2)
  const newcomer = emulator.person()
  const sentMs = timed(() => {
    sender.tap(/^submit:/)
    return until(() => isAccepted(sandbox, token))
  })
  const wordMs = timed(() => {
    newcomer.start(`record_${sandbox.addRecord({ testId: 'long', authRequired: false })}`)
    return until(() => newcomer.messages.some(({ from }) => from.is_bot))
  })
  await Promise.all([...answering, sentMs, wordMs])
  end()
  return {
    ...{ taps, sentMs: await sentMs, wordMs: await wordMs },
    ...{ calls: sandbox.calls.length - before, bytes: await crowd.bytes() },
  }
}

function rowsOf(what: string, { taps, sentMs, wordMs, calls, bytes }: Found): Row[] {
  const show = milliseconds
  const row = (name: string, value: number, most: number, means: string): Row => ({
    ...{ what: `${what}: ${name}`, value, show, goal: { most }, means },
  })
  return [
    row('taps, p90', quantile(taps, 0.9), GOALS.p90, `From the tap to the next question, of ${taps.length}.`),
    row('taps, worst', quantile(taps, 1), GOALS.worst, `The process has ${count(bytes / 1e6)} MB then.`),
    row('a review is sent', sentMs, GOALS.sent, `Until the service has it, among ${calls} calls.`),
    row('a newcomer hears a word', wordMs, GOALS.word, 'The introduction, or that they have to wait.'),
  ]
}

/** Taps an option, and waits for the next screen. */
async function answer(person: PersonDriver): Promise<number> {
  const before = shown(person)
  return timed(() => {
    person.tap(before ?? '')
    return until(() => shown(person) !== before)
  })
}

/** The first option of the shown question. */
const shown = (person: PersonDriver): string | undefined =>
  dataOf(person).find((data) => data.startsWith('a:'))

const dataOf = (person: PersonDriver): string[] =>
  (person.messages.findLast(({ reply_markup: keyboard }) => keyboard)?.reply_markup?.inline_keyboard ?? [])
    .flat()
    .flatMap(({ callback_data: data }) => data ?? [])

const shows = (person: PersonDriver, button: RegExp) =>
  until(() => dataOf(person).some((data) => button.test(data)))

const isAccepted = (sandbox: Sandbox, token: string) =>
  sandbox.submissions(token).some(({ accepted }) => accepted)

function raise(): never {
  throw new Error('there is nobody left to send')
}

const LONGEST_MS = 60_000

async function until(isSo: () => boolean): Promise<void> {
  const endsAt = Date.now() + LONGEST_MS
  while (!isSo() && Date.now() < endsAt) await sleep(4)
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const since = performance.now()
  await act()
  return performance.now() - since
}

function every(ms: number, act: () => unknown): () => void {
  const timer = setInterval(act, ms)
  return () => clearInterval(timer)
}
