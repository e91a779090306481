import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createWatchHandlers } from '../../src/jobs/watch.ts'
import type { ActorKind } from '../../src/queue/actors.ts'
import type { Task } from '../../src/queue/job.ts'
import { recordFiles } from '../../src/storage/documents/kinds.ts'
import { createUnitOfWork } from '../../src/storage/unit-of-work.ts'
import { fileIn, NOW } from '../domain/record-states.ts'
import { newStore, termAt } from './world.ts'

test('the watch over a test ends with a /forget that comes during its check', async () => {
  const now = () => NOW
  const { store, vault } = await newStore(now)
  async function working(kind: ActorKind, id: string) {
    await store.post({ actor: `${kind}:${id}`, id: randomUUID(), body: Buffer.from('{}') })
    const claim = await store.claim(10_000, [kind])
    if (!claim) throw new Error('nothing to claim')
    return createUnitOfWork({ store, vault, term: termAt(now)() }, claim)
  }
  const file = fileIn('a record', 'questions: questions')
  const beginning = await working('chat', 'w')
  beginning.put(recordFiles, file.s, file)
  expect(await beginning.commit()).toBe('ok')

  const watching = await working('stuck', file.s)
  const config = { retentionDays: 30, reminderHours: [], quietHours: { from: 0, to: 0 } }
  const { stuck } = createWatchHandlers({ config, now, store, vault } as never)
  const task = { body: { s: file.s, since: NOW }, work: watching } as unknown as Task<unknown>
  const end = await stuck(task)
  expect(end).toMatchObject({ retryAt: expect.any(Number) })
  const forgetting = await working('chat', 'w')
  forgetting.remove(recordFiles, file.s)
  expect(await forgetting.commit()).toBe('ok')
  expect(await watching.commit(end)).toBe('conflict')
})
