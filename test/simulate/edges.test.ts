import type { Api } from 'grammy'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTelegramClient } from '../../src/telegram/client.ts'
import { forGrammy } from '../../src/telegram/transport.ts'
import { createEdges } from '../../tools/simulate/edges.ts'
import { Network } from '../../tools/simulate/network.ts'
import { HOSTS } from '../../tools/simulate/settings.ts'
import { enter, leave } from '../../tools/simulate/stand-ins/surroundings.ts'
import { createHost } from '../../tools/simulate/time.ts'
import { createWatch } from '../../tools/simulate/watch.ts'

const BATCH = JSON.stringify({ ok: true, result: [{ update_id: 5 }, { update_id: 6 }] })

let api: Api
let watch: ReturnType<typeof createWatch>
/** How many updates the store has. */
let kept: number
/** Brings the answers to the polls, in the order in which they were asked. */
let answers: (() => void)[]

beforeEach(() => {
  const elapsed = () => 0
  const time = { current: createHost('r1.1'), elapsed }
  const resultTo = 'participant' as const
  watch = createWatch({
    elapsed,
    now: elapsed,
    hasSkipped: () => false,
    isOrganized: false,
    resultTo,
    actorOf: String,
  })
  kept = 0
  answers = []
  const carry = createEdges({
    time,
    watch,
    moments: { comes: () => 0 },
    updates: (_host: unknown, many: number) => watch.updates(() => kept, many),
    emulator: { call: async () => ({ status: 200, body: BATCH }) },
    ask: async (
      _host: unknown,
      { act, onAnswer }: { act: () => Promise<unknown>; onAnswer: (answer: unknown) => void },
    ) => {
      const answer = await act()
      await new Promise<void>((bring) => answers.push(bring))
      onAnswer(answer)
      return answer
    },
  } as never)
  enter({ time, carry } as never)
  api = createTelegramClient({
    token: '1:t',
    apiRoot: `https://${HOSTS.telegram}`,
    now: elapsed,
    dispatcher: new Network(),
  })
})

afterEach(leave)

/** Asks for updates; resolves once Telegram has the question. */
async function polls(offset: number, signal?: AbortSignal) {
  const before = answers.length
  const updates = api.getUpdates({ offset }, signal && forGrammy(signal))
  updates.catch(() => undefined)
  while (answers.length === before) await new Promise(setImmediate)
  return { updates, answer: answers[before] as () => void }
}

test('updates that are confirmed before all of them are kept are found', async () => {
  const { updates, answer } = await polls(0)
  answer()
  await updates
  kept = 1
  await polls(7)
  expect(watch.broken).toEqual([{ kind: 'lost', what: 'an update was confirmed before it was kept' }])
})

test('the late answer to a poll that was given up does not hide what was kept before it', async () => {
  const givingUp = new AbortController()
  const former = await polls(0, givingUp.signal)
  givingUp.abort()
  await expect(former.updates).rejects.toThrow()
  const { updates, answer } = await polls(0)
  answer()
  await updates
  kept = 1
  former.answer()
  await new Promise(setImmediate)
  kept = 2
  await polls(7)
  expect(watch.broken).toEqual([])
})
