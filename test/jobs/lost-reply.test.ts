import { expect, test } from 'vitest'
import type { Handler } from '../../src/queue/job.ts'
import { sealBody } from '../../src/storage/documents.ts'
import type { Store } from '../../src/storage/store.ts'
import { newSender, newStore, startWorker } from './world.ts'

const lost = new Error('the reply was lost')

/** A store that loses the reply to its first commit; `meanwhile` happens before the retry. */
function unheardOnce(store: Store, meanwhile: () => Promise<void> = async () => {}): Store {
  let commits = 0
  return {
    ...store,
    async commit(...args) {
      const outcome = await store.commit(...args)
      commits += 1
      if (commits > 1) return outcome
      await meanwhile()
      throw lost
    },
  }
}

/** A chat's message handled over such a store: what was said and taken back, and how each attempt ended. */
async function handled(act: (tries: number) => void, meanwhile?: (store: Store) => Promise<void>) {
  const world = await newStore(Date.now)
  const { store, vault } = world
  await store.post({ actor: 'chat:a', id: '1', body: sealBody(vault, 'chat:a', {}) })
  const said: string[] = []
  const outcomes: string[] = []
  let tries = 0
  await new Promise<void>((resolve) => {
    const chat: Handler = async ({ onFailedRun, retries, sender }) => {
      tries += 1
      said.push(`said ${retries}`)
      onFailedRun(async () => void said.push('taken back'))
      await sender?.send(1, { text: 'hello' })
      act(tries)
      return undefined
    }
    const onEnd = (_: string, outcome: string) => {
      outcomes.push(outcome)
      if (outcome !== 'failed') resolve()
    }
    const unheard = unheardOnce(store, () => meanwhile?.(store) ?? Promise.resolve())
    // One at a time: this worker takes no other message before the outcome is known.
    const room = { chat: 1 }
    startWorker({
      ...world,
      sender: newSender().sender,
      store: unheard,
      now: Date.now,
      handlers: { chat },
      onEnd,
      room,
    })
  })
  return { said, outcomes }
}

test('a commit whose reply was lost keeps what was sent', async () => {
  expect(await handled(() => undefined)).toEqual({ said: ['said 0'], outcomes: ['ok'] })
})

test('a commit whose reply was lost keeps what was sent, although another worker has gone on', async () => {
  const goOn = async (store: Store) => {
    await store.post({ actor: 'chat:a', id: '2', body: Buffer.from('next') })
    const next = await store.claim(10_000, ['chat'])
    expect(next?.message.id).toBe('2')
    if (next) expect(await store.commit(next, { id: 'another' })).toBe('ok')
  }
  expect(await handled(() => undefined, goOn)).toEqual({ said: ['said 0'], outcomes: ['ok'] })
})

test('a message put back by a commit whose reply was lost counts one failure and comes again', async () => {
  const failOnce = (tries: number) => {
    if (tries === 1) throw new Error('in the middle')
  }
  expect(await handled(failOnce)).toEqual({ said: ['said 0', 'said 1'], outcomes: ['failed', 'ok'] })
})
