import { expect, test } from 'vitest'
import { z } from 'zod'
import { bodyReader, handler } from '../../src/queue/job.ts'
import { sealBody } from '../../src/storage/documents.ts'
import { createClock } from '../storage/worlds.ts'
import { becomes } from '../until.ts'
import { newStore, startWorker } from './world.ts'

const words = bodyReader('chat', z.object({ text: z.string() }))
const actor = 'chat:somebody'

/** Handles a damaged message and a sound one behind it. Returns what is handled and what is set aside. */
async function behind(harmed: (vault: Awaited<ReturnType<typeof newStore>>['vault']) => Buffer) {
  const clock = createClock()
  const world = await newStore(clock.now)
  const { store, vault } = world
  await store.post({ actor, id: 'harmed', body: harmed(vault) })
  await store.post({ actor, id: 'sound', body: sealBody(vault, actor, { text: 'hello' }) })
  const handled: unknown[] = []
  const aside: { body: unknown; error: unknown }[] = []
  const worker = startWorker({
    ...world,
    now: clock.now,
    handlers: {
      chat: handler(words, async ({ body, id }) => {
        handled.push({ id, body })
        return undefined
      }),
    },
    setAside: ({ body }, error) => void aside.push({ body, error }),
    onEnd: () => clock.wait(10_000),
  })
  await becomes(() => {
    worker.wake()
    clock.wait(1_000)
    return handled.length > 0
  }, 5_000)
  await worker.stop()
  return { handled, aside }
}

const hello = [{ id: 'somebody', body: { text: 'hello' } }]

test('a message that cannot be opened does not hold up the chat behind it', async () => {
  const { handled, aside } = await behind(() => Buffer.from('not sealed by anybody'))
  expect(handled).toEqual(hello)
  expect(aside).toMatchObject([{ body: undefined }])
})

test('a message with a wrong body does not hold it up either, and is not quoted', async () => {
  const { handled, aside } = await behind((vault) => sealBody(vault, actor, { text: ['secret'] }))
  expect(handled).toEqual(hello)
  expect(aside).toMatchObject([{ body: { text: ['secret'] } }])
  expect(String(aside[0]?.error)).toBe('Error: a message (chat) is not what it should be')
})
