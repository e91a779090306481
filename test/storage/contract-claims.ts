import { expect, test } from 'vitest'
import type { Claim } from '../../src/storage/store.ts'
import { claimNext, createClock, handleAll, KINDS, minute, type OpenStore, post } from './worlds.ts'

const lease = minute

/** The rights of a worker over a claim of its own, and over one that it has lost. */
export function describeClaims(open: OpenStore) {
  async function world() {
    const clock = createClock()
    const store = await open(clock)
    const claim = () => claimNext(store)
    /** The next claim, after the lease of this one has run out. */
    async function afterLease(): Promise<Claim> {
      clock.wait(lease)
      return claim()
    }
    return { store, claim, afterLease, clock, wait: clock.wait, now: clock.now }
  }

  test('the next worker learns that a message was begun, and the message is the same', async () => {
    const { store, claim, afterLease, now } = await world()
    await store.post(post('call:1', 'submit'))
    await store.post(post('call:1', 'next'))
    await store.commit(await claim(), { retryAt: now() })
    const first = await claim()
    expect(await store.begin(first, lease)).toBe(true)
    const second = await afterLease()
    expect(second.message).toEqual({ ...first.message, begun: true, lost: 1 })
    expect((await afterLease()).message.begun).toBe(true)
  })

  test('a message that was begun when the process was killed is not dropped by a replacement', async () => {
    const { store, claim, clock } = await world()
    await store.post(post('call:1', 'submit'))
    await store.begin(await claim(), lease)
    const next = await open(clock, store)
    await next.post(post('call:1', 'instead', { replace: true }))
    clock.wait(lease)
    const again = await claimNext(next)
    expect(again.message).toMatchObject({ id: 'submit', begun: true })
    await next.commit(again, {})
    expect(await handleAll(next)).toEqual(['instead'])
  })

  test('a message stays not begun, however often its lease runs out or is renewed', async () => {
    const { store, claim, afterLease } = await world()
    await store.post(post('call:1', 'submit'))
    expect(await store.renew(await claim(), lease)).toBe(true)
    expect((await afterLease()).message.begun).toBe(false)
    expect((await afterLease()).message.begun).toBe(false)
  })

  test('begin holds the message for another lease', async () => {
    const { store, claim, wait } = await world()
    await store.post(post('call:1', 'submit'))
    const first = await claim()
    wait(lease - 1)
    await store.begin(first, lease)
    wait(lease - 1)
    expect(await store.claim(lease, KINDS)).toBeUndefined()
    wait(1)
    expect((await claim()).message).toMatchObject({ id: 'submit', begun: true })
  })

  test('a begun message that is put back stays begun only if the commit says so', async () => {
    const { store, claim, now } = await world()
    await store.post(post('call:1', 'submit'))
    const first = await claim()
    await store.begin(first, lease)
    await store.commit(first, { retryAt: now(), staysBegun: true, retryBody: Buffer.from('changed') })
    const second = await claim()
    expect(second.message).toMatchObject({ begun: true, body: Buffer.from('changed') })
    await store.commit(second, { retryAt: now(), staysBegun: true, countsAsRetry: false })
    const third = await claim()
    expect(third.message).toMatchObject({ begun: true, retries: 1 })
    await store.commit(third, { retryAt: now() })
    const fourth = await claim()
    expect(fourth.message).toMatchObject({ begun: false, retries: 2 })
    await store.commit(fourth, { retryAt: now(), staysBegun: true })
    expect((await claim()).message).toMatchObject({ begun: false, retries: 3 })
  })

  test('the mark begun does not pass to the next message of the actor', async () => {
    const { store, claim } = await world()
    await store.post(post('call:1', 'submit'))
    await store.post(post('call:1', 'next'))
    const first = await claim()
    await store.begin(first, lease)
    await store.commit(first, {})
    const next = await claim()
    expect(next.message).toMatchObject({ id: 'next', begun: false })
    expect(await store.begin(first, lease)).toBe(false)
    await store.commit(next, { retryAt: 0, staysBegun: true })
    expect((await claim()).message).toMatchObject({ id: 'next', begun: false })
  })

  test('a worker that lost its lease can neither begin nor renew', async () => {
    const { store, claim, afterLease, wait, now } = await world()
    await store.post(post('call:1', 'submit'))
    const loser = await claim()
    const winner = await afterLease()
    wait(lease - 1)
    expect(await store.begin(loser, lease)).toBe(false)
    expect(await store.renew(loser, lease)).toBe(false)
    wait(1)
    const third = await claim()
    expect(third.message.begun).toBe(false)
    expect(await store.commit(winner, { retryAt: now(), id: 'late' })).toBe('lost')
    expect(await store.commit(third, {})).toBe('ok')
    expect(await store.begin(third, lease)).toBe(false)
    expect(await handleAll(store)).toEqual([])
  })
}
