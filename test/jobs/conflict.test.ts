import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Handler } from '../../src/queue/job.ts'
import { document, documentKey, sealBody, sealDocument } from '../../src/storage/documents.ts'
import type { Sender } from '../../src/telegram/sender.ts'
import { newSender, newStore, startWorker } from './world.ts'

const boards = document('b', { schema: z.object({ tests: z.number() }) })

/** A worker with one message. Returns the outcomes of its attempts. */
async function handling(
  handler: (deps: { changeMeanwhile: () => Promise<void> }) => Handler,
  sender?: Sender,
) {
  const world = await newStore(Date.now)
  const { store, vault } = world
  const key = documentKey(boards, 'one')
  const value = sealDocument(vault, boards, 'one', { tests: 1 })
  const outcomes: string[] = []
  let ended = () => {}
  const end = new Promise<void>((resolve) => {
    ended = resolve
  })
  await store.post({ actor: 'chat:a', id: '1', body: sealBody(vault, 'chat:a', {}) })
  const changeMeanwhile = async () => {
    const [entry] = await store.read([key])
    await store.put({ key, value }, entry?.version ?? null)
  }
  startWorker({
    ...world,
    now: Date.now,
    handlers: { chat: handler({ changeMeanwhile }) },
    ...(sender && { sender }),
    onEnd(_, outcome) {
      outcomes.push(outcome)
      if (outcome === 'ok') ended()
    },
  })
  await end
  return outcomes
}

/** A message that loses two conflicts. Returns what was sent and what was taken back. */
async function conflicting(says: readonly string[][], isTakenBack = true) {
  const { sent, sender } = newSender()
  const takenBack: string[] = []
  const known: boolean[] = []
  const handler = ({ changeMeanwhile }: { changeMeanwhile: () => Promise<void> }): Handler => {
    let attempt = 0
    return async ({ work, hasSent, onFailedRun, sender }) => {
      const texts = says[attempt++] ?? []
      known.push(hasSent)
      const board = await work.get(boards, 'one')
      if (isTakenBack)
        onFailedRun(async (ids) => void takenBack.push(...ids.map((id) => `${sent[id - 1]} at ${attempt}`)))
      for (const text of texts) await sender?.send(1, { text })
      if (attempt < 3) await changeMeanwhile()
      work.put(boards, 'one', { tests: (board?.tests ?? 0) + 1 })
      return undefined
    }
  }
  expect(await handling(handler, sender)).toEqual(['conflict', 'conflict', 'ok'])
  return { sent, takenBack, known }
}

test.each([true, false])(
  'a message that was sent is not sent again after a conflict (it can be taken back: %s)',
  async (isTakenBack) => {
    const question = ['who are you?']
    const said = await conflicting([question, question, question], isTakenBack)
    expect(said).toEqual({ sent: question, takenBack: [], known: [false, true, true] })
  },
)

test('a message that no later attempt sends again is taken back', async () => {
  const { sent, takenBack } = await conflicting([
    ['hello', 'father?', 'or mother?'],
    ['hello', 'mother?'],
    ['hello'],
  ])
  expect(sent).toEqual(['hello', 'father?', 'or mother?', 'mother?'])
  expect(takenBack).toEqual(['father? at 2', 'or mother? at 2', 'mother? at 3'])
})

test('a message whose handler throws counts as failed, though it comes again', async () => {
  let attempt = 0
  const outcomes = await handling(() => async () => {
    attempt += 1
    if (attempt === 1) throw new Error('in the middle')
    return undefined
  })
  expect(outcomes).toEqual(['failed', 'ok'])
})

test('a handler knows whether an earlier attempt has sent something, until it starts over', async () => {
  const world = await newStore(Date.now)
  const { store, vault } = world
  const body = { attempts: { tries: 0, said: [{ key: 'hello', id: 7 }] } }
  await store.post({ actor: 'chat:a', id: '1', body: sealBody(vault, 'chat:a', body) })
  await store.post({ actor: 'chat:a', id: '2', body: sealBody(vault, 'chat:a', {}) })
  const known: boolean[] = []
  await new Promise<void>((resolve) => {
    const chat: Handler = async ({ hasSent }) => {
      if (known.push(hasSent) === 2) resolve()
      return undefined
    }
    startWorker({ ...world, now: Date.now, handlers: { chat } })
  })
  expect(known).toEqual([true, false])
})
