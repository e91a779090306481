import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Handler } from '../../src/queue/task.ts'
import { document } from '../../src/storage/documents/document.ts'
import { documentKey, sealBody, sealDocument } from '../../src/storage/documents.ts'
import type { Sender } from '../../src/telegram/sender.ts'
import { newStore, startWorker } from './world.ts'

const boards = document('b', { schema: z.object({ tests: z.number() }) })

/** A worker with one message, and the outcomes of handling it. */
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

test('a message that another worker was faster for is handled again, after what it did was undone', async () => {
  const done: string[] = []
  const outcomes = await handling(({ changeMeanwhile }) => {
    let attempt = 0
    return async ({ work, onConflict }) => {
      attempt += 1
      const own = attempt
      const board = await work.get(boards, 'one')
      done.push(`said ${own}`)
      onConflict(async () => void done.push(`unsaid ${own}`))
      if (own < 3) await changeMeanwhile()
      work.put(boards, 'one', { tests: (board?.tests ?? 0) + 1 })
      return undefined
    }
  })
  expect(outcomes).toEqual(['conflict', 'conflict', 'ok'])
  expect(done).toEqual(['said 1', 'unsaid 1', 'said 2', 'unsaid 2', 'said 3'])
})

test('what was said and is not taken back is not said again where another worker was faster', async () => {
  const sent: string[] = []
  const onTask: Sender['onTask'] = ({ said, keyOf }) =>
    ({
      async send(_: number, { text }: { text: string }) {
        const key = keyOf(text)
        if (said.before.some((each) => each.key === key)) return
        said.now.push({ key, id: sent.push(text) })
      },
    }) as unknown as Sender
  const outcomes = await handling(
    ({ changeMeanwhile }) => {
      let attempt = 0
      return async ({ work, sender }) => {
        attempt += 1
        const board = await work.get(boards, 'one')
        await sender?.send(1, { text: 'it is done' })
        if (attempt < 3) await changeMeanwhile()
        work.put(boards, 'one', { tests: (board?.tests ?? 0) + 1 })
        return undefined
      }
    },
    { onTask } as unknown as Sender,
  )
  expect(outcomes).toEqual(['conflict', 'conflict', 'ok'])
  expect(sent).toEqual(['it is done'])
})

test('a message whose handler throws is no success, though it comes again', async () => {
  let attempt = 0
  const outcomes = await handling(() => async () => {
    attempt += 1
    if (attempt === 1) throw new Error('in the middle')
    return undefined
  })
  expect(outcomes).toEqual(['failed', 'ok'])
})

test('a message knows whether an earlier attempt has said something, until it begins from the start', async () => {
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
