import { setTimeout as sleep } from 'node:timers/promises'
import { startBot } from './bot-process.ts'
import type { Place } from './place.ts'
import { createSurroundings } from './surroundings.ts'
import { middle, milliseconds, type Row, type Table } from './table.ts'

const PEOPLE = 20
const MESSAGES = 5
const WARM_ROUNDS = 2

/** The cost of a dialog message for the whole bot, against a command, which enters no conversation. */
export async function measureDialog(place: Place): Promise<Table> {
  const rounds = place.isShort ? 2 : 10
  const redis = await place.redis()
  const stores = [
    ['SQLite', {}],
    ['Redis', redis && { REDIS_URL: redis.url }],
  ] as const
  const rows: Row[] = []
  for (const [store, environment] of stores)
    if (environment) rows.push(...rowsOf(store, await costsOn(place, environment, rounds)))
  return {
    title: 'A message of the dialog',
    about: `CPU of the whole bot for a message, from the poll over the inbox to the reply: ${PEOPLE} people say ${MESSAGES} messages each, over ${rounds} rounds.`,
    rows,
  }
}

type Costs = { dialog: readonly number[]; command: readonly number[] }

async function costsOn(place: Place, environment: Record<string, string>, rounds: number): Promise<Costs> {
  const { sandbox, emulator, env, close } = await createSurroundings()
  place.finally(close)
  const bot = await startBot({ ...env, ...environment })
  place.finally(() => bot.stop())

  const replies = () => emulator.calls.filter(({ method, ok }) => method === 'sendMessage' && ok).length

  /** CPU milliseconds for each of these messages, all of them sent at once. */
  async function cost(people: readonly { say(text: string): unknown }[], text: string): Promise<number> {
    const [before, messages, replied] = [await bot.cpuMs(), people.length * MESSAGES, replies()]
    for (let said = 0; said < MESSAGES; said += 1) for (const person of people) person.say(text)
    while (replies() < replied + messages) await sleep(20)
    // Wait for the work that follows the last reply.
    await emulator.settled()
    return ((await bot.cpuMs()) - before) / messages
  }

  const inDialog = await Promise.all(
    Array.from({ length: PEOPLE }, async () => {
      const person = emulator.person()
      person.start(`record_${sandbox.addRecord({ testId: 'mood-7', testsAuthRequired: true })}`)
      while (!person.lastWith('begin:')) await sleep(5)
      person.tap(/^begin:/)
      return person
    }),
  )
  const outside = Array.from({ length: PEOPLE }, () => emulator.person())
  await sleep(500)
  const costs = { dialog: [] as number[], command: [] as number[] }
  for (let round = -WARM_ROUNDS; round < rounds; round += 1) {
    // A name of digits alone is refused: the step explains it and asks again.
    const [dialog, command] = [await cost(inDialog, '123'), await cost(outside, '/help')]
    if (round < 0) continue
    costs.dialog.push(dialog)
    costs.command.push(command)
  }
  return costs
}

const rowsOf = (store: string, { dialog, command }: Costs): Row[] => [
  {
    what: `${store}, in a step`,
    ...middle(dialog),
    show: milliseconds,
    goal: { most: 10 },
    means: 'A name that is not taken: the step runs again from its log, and asks again.',
  },
  {
    what: `${store}, a command`,
    ...middle(command),
    show: milliseconds,
    means: '`/help`, which enters no conversation.',
  },
  {
    what: `${store}, in a step ÷ a command`,
    ...middle(dialog.map((ms, round) => ms / (command[round] ?? Number.NaN))),
    goal: { most: 2 },
    means: 'What the conversation costs, and the reply beside it.',
  },
]
