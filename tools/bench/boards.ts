import { setTimeout as sleep } from 'node:timers/promises'
import { loadConfig } from '../../src/config.ts'
import type { PersonDriver } from '../emulator/emulator.ts'
import { startBot } from './bot-process.ts'
import { fillBoard } from './full-board.ts'
import type { Place } from './place.ts'
import { createSurroundings } from './surroundings.ts'
import { median, milliseconds, type Row, type Table } from './table.ts'

const ORGANIZER = 4_001
const ROUNDS = 5
const LONGEST_MS = 600_000
const BEGUN_MS = 5_000

/** How long an organizer waits for a full board, and how long it holds up all others, on each store. */
export async function measureBoards(place: Place): Promise<Table> {
  const records = place.isShort ? 5_000 : 100_000
  const redis = await place.redis()
  const rows: Row[] = []
  for (const [store, url] of [['Redis', redis?.url] as const, ['SQLite', undefined] as const]) {
    if (store === 'Redis' && !url) continue
    for (const [what, used] of await pressed(place, records, url)) {
      const isTable = what === 'the CSV'
      // The bot reads a thousand people, a few at a time.
      const isSample = what === 'where people stop'
      rows.push(
        {
          what: `${store}: ${what}`,
          value: used.ms,
          show: milliseconds,
          ...(!isTable && { goal: { most: 1_000 } }),
          means: 'From the press until it stands in the chat, or the file is there.',
        },
        {
          what: `${store}: ${what}, CPU`,
          value: used.cpuMs,
          show: milliseconds,
          ...(!isTable && !isSample && { goal: { most: 100 } }),
          means: 'Of the whole process, pictures too.',
        },
        {
          what: `${store}: ${what}, the event loop is held for at most`,
          value: used.heldMs,
          show: milliseconds,
          goal: { most: 50 },
          means: 'Everybody else waits for so long.',
        },
      )
    }
  }
  return {
    title: `Boards with ${records.toLocaleString('en')} records`,
    about: `An organizer presses ${ROUNDS} times each; medians, of the event loop the longest.`,
    rows,
  }
}

type Bot = Awaited<ReturnType<typeof startBot>>
type Used = { ms: number; cpuMs: number; heldMs: number }

async function pressed(place: Place, records: number, redisUrl: string | undefined) {
  const { emulator, env, close } = await createSurroundings()
  place.finally(close)
  const { DATA_DIR, ...shared } = env
  const own = {
    ...shared,
    ORGANIZERS: String(ORGANIZER),
    ...(redisUrl ? { REDIS_URL: redisUrl } : { DATA_DIR }),
  }
  const loaded = loadConfig(own)
  if (!loaded.ok) throw new Error('the environment of the benchmark is wrong')
  await fillBoard(loaded.config, records)
  const bot = await startBot(own)
  place.finally(() => bot.stop())
  // The start of a process is measured by another benchmark.
  await sleep(BEGUN_MS)
  const person = emulator.person({ id: ORGANIZER })
  const { press, measure, changed } = pressing(person, bot)
  const documents = () => person.messages.filter(({ document }) => document).length
  const isNew = (before: string) =>
    changed() !== before && person.last.from.is_bot && person.last.reply_markup !== undefined
  await press(
    () => person.start(),
    () => person.lastWith('home') !== undefined,
  )
  const home = await measure(() => person.start(), isNew)
  let page = 1
  const stage = await measure(() => {
    page += 1
    person.rawTap(person.last, `stage:answering:${page}`)
  }, isNew)
  const status = await measure(() => person.say('/status'), isNew)
  const photos = () => person.messages.filter(({ photo }) => photo).length
  let drawn = 0
  const drop = await measure(
    () => {
      drawn = photos()
      // A different message each time: two taps on one message at once would count as one.
      const spoken = person.messages.filter(({ from }) => from.is_bot)
      person.rawTap(spoken[drawn % spoken.length] ?? person.last, 'drop:0')
    },
    () => photos() > drawn,
  )
  let seen = documents()
  const csv = await press(
    () => {
      seen = documents()
      person.tap('export')
    },
    () => documents() > seen,
  )
  return [
    ['the home', home],
    ['a page of a stage', stage],
    ['/status', status],
    ['where people stop', drop],
    ['the CSV', csv],
  ] as const
}

/** Presses once, or several times and returns the usage of the rounds. */
function pressing(person: PersonDriver, bot: Bot) {
  const changed = () => JSON.stringify(person.messages.filter(({ from }) => from.is_bot))

  async function press(act: () => unknown, isShown: () => boolean): Promise<Used> {
    const before = await bot.used()
    const startedAt = performance.now()
    act()
    while (!isShown()) {
      if (performance.now() - startedAt > LONGEST_MS) throw new Error('nothing was shown')
      await sleep(5)
    }
    const ms = performance.now() - startedAt
    await sleep(100)
    const after = await bot.used()
    return { ms, cpuMs: after.cpuMs - before.cpuMs, heldMs: after.heldMs }
  }
  async function measure(act: () => unknown, isShown: (before: string) => boolean): Promise<Used> {
    const rounds: Used[] = []
    for (let round = -1; round < ROUNDS; round += 1) {
      const before = changed()
      const used = await press(act, () => isShown(before))
      // The first rounds only make the code warm.
      if (round >= 0) rounds.push(used)
    }
    return ofRounds(rounds)
  }
  return { press, measure, changed }
}

const ofRounds = (rounds: readonly Used[]): Used => ({
  ms: median(rounds.map(({ ms }) => ms)),
  cpuMs: median(rounds.map(({ cpuMs }) => cpuMs)),
  heldMs: Math.max(...rounds.map(({ heldMs }) => heldMs)),
})
