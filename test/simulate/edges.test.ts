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
/** The number of updates in the store. */
let kept: number
/** Each function delivers the answer to one poll, in the order of the polls. */
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

/** Polls for updates; resolves once the poll has reached Telegram. */
async function polls(offset: number, signal?: AbortSignal) {
  const before = answers.length
  const updates = api.getUpdates({ offset }, signal && forGrammy(signal))
  updates.catch(() => undefined)
  while (answers.length === before) await new Promise(setImmediate)
  return { updates, answer: answers[before] as () => void }
}

test('a batch of updates that is confirmed before all of it is stored is reported', async () => {
  const { updates, answer } = await polls(0)
  answer()
  await updates
  kept = 1
  await polls(7)
  expect(watch.broken).toEqual([{ kind: 'lost', what: 'an update was confirmed before it was kept' }])
})

test('a late answer to an aborted poll does not change the count of stored updates', async () => {
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
