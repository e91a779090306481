import { expect, test } from 'vitest'
import { encodeAttempt, openAttempt } from '../../src/domain/attempt-layout.ts'
import { createKeptCount } from '../../src/storage/documents/count-kept.ts'
import { attemptOf } from './moves.ts'
import { createClock, hour, minute, type OpenStore, post, second } from './worlds.ts'

const KINDS = ['chat', 'submit', 'timer']

/** What an operator is shown of a store. */
export function describeWatch(open: OpenStore) {
  async function world() {
    const clock = createClock()
    return { clock, store: await open(clock) }
  }

  test('the waiting messages are counted by kind, with the age of the oldest that is due', async () => {
    const { clock, store } = await world()
    await store.post(post('chat:1', '1'))
    clock.wait(20 * second)
    await store.post(post('chat:1', '2'))
    await store.post(post('chat:2', '3'))
    await store.post(post('submit:1', '4', { dueAt: clock.now() + hour }))
    clock.wait(10 * second)
    expect(await store.backlog(KINDS)).toEqual([
      { kind: 'chat', waiting: 2, due: 2, oldestMs: 30 * second },
      { kind: 'submit', waiting: 1, due: 0, oldestMs: 0 },
      { kind: 'timer', waiting: 0, due: 0, oldestMs: 0 },
    ])
    // A claimed message is not due until its lease has run out.
    await store.claim(minute, ['chat'])
    expect((await store.backlog(['chat']))[0]).toEqual({
      kind: 'chat',
      waiting: 2,
      due: 1,
      oldestMs: 10 * second,
    })
  })

  test('documents are counted over all pages, and attempts by their state', async () => {
    const { clock, store } = await world()
    const begun = openAttempt(attemptOf(3))
    const put = (key: string, value: Buffer, expiresAt = clock.now() + 40 * 24 * hour) =>
      store.put({ key, value, expiresAt }, null)
    // First, as Redis drops it by its own clock, which has to pass a millisecond more.
    await put('d:2', Buffer.from('gone'), clock.now() + 1)
    for (let number = 0; number < 1_100; number += 1) await put(`u:${number}`, Buffer.from('x'))
    await put('o:1', Buffer.from('owed'))
    await put('d:1', Buffer.from('set aside'))
    await put('s:idle', encodeAttempt(begun))
    clock.wait(25 * hour)
    const lastActivityAt = clock.now()
    const complete = { ...begun, answered: 3, firsts: Buffer.from('abc'), lastActivityAt }
    await put('s:open', encodeAttempt({ ...begun, lastActivityAt }))
    await put('s:paused', encodeAttempt({ ...begun, state: 'paused' }))
    await put('s:complete', encodeAttempt(complete))
    await put('s:sending', encodeAttempt({ ...complete, state: 'locked' }))
    clock.wait(90 * second)
    const count = createKeptCount({ store, now: clock.now })
    expect(await count()).toEqual({
      documents: { account: 1_100, record: 0, 'owed-result': 1, 'blocked-delivery': 0, 'set-aside': 1 },
      attempts: { open: 1, idle: 1, paused: 1, complete: 1, sending: 1 },
      oldestSendingMs: 90 * second,
    })
  })
}
