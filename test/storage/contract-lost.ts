import { expect, test } from 'vitest'
import type { Store } from '../../src/storage/store.ts'
import { claimNext, createClock, minute, type OpenStore, post } from './worlds.ts'

/** What is known of a message whose claims came to no end. */
export function describeLostClaims(open: OpenStore) {
  async function world() {
    const clock = createClock()
    const store = await open(clock)
    await store.post(post('chat:1', 'first'))
    await store.post(post('chat:1', 'second'))
    /** The next claim, once the lease of this one is over. */
    const lostClaim = async () => {
      const claim = await claimNext(store)
      clock.wait(minute)
      return claim
    }
    async function becomesAlone({ andRests = false } = {}): Promise<void> {
      const claim = await claimNext(store)
      await store.suspect(claim, true)
      if (andRests) await store.suspect(claim, false)
      clock.wait(minute)
    }
    return { store, lostClaim, becomesAlone, now: clock.now }
  }
  const lostOf = async (store: Store) => (await claimNext(store)).message.lost

  test('claims that came to no end are counted, as long as others were in work no further than two', async () => {
    const { store, lostClaim } = await world()
    const lost = [await lostClaim(), await lostClaim(), await lostClaim(), await lostClaim()]
    expect(lost.map(({ message }) => [message.id, message.lost])).toEqual([
      ['first', 0],
      ['first', 1],
      ['first', 2],
      ['first', 2],
    ])
    expect(await lostOf(store)).toBe(2)
  })

  test('lost while it was alone is known as the third time, for good', async () => {
    const { store, lostClaim, becomesAlone } = await world()
    await lostClaim()
    await lostClaim()
    await becomesAlone()
    expect((await lostClaim()).message.lost).toBe(3)
    expect(await lostOf(store)).toBe(3)
  })

  test('who let others in again is no more suspected than before', async () => {
    const { store, lostClaim, becomesAlone } = await world()
    await lostClaim()
    await lostClaim()
    await becomesAlone({ andRests: true })
    expect(await lostOf(store)).toBe(2)
  })

  test('a worker that has lost its claim notes nothing', async () => {
    const { store, lostClaim } = await world()
    await lostClaim()
    const loser = await lostClaim()
    const { message } = await lostClaim()
    await store.suspect(loser, true)
    expect(message.lost).toBe(2)
    expect(await lostOf(store)).toBe(2)
  })

  test('what is put back or ends is blamed for nothing, nor is what comes behind it', async () => {
    const { store, lostClaim, now } = await world()
    await lostClaim()
    await lostClaim()
    const claim = await claimNext(store)
    await store.suspect(claim, true)
    await store.commit(claim, { retryAt: now() })
    const again = await lostClaim()
    expect(again.message).toMatchObject({ id: 'first', lost: 0 })
    const ended = await claimNext(store)
    expect(ended.message.lost).toBe(1)
    await store.commit(ended, {})
    expect(await lostClaim()).toMatchObject({ message: { id: 'second', lost: 0 } })
    expect(await lostOf(store)).toBe(1)
  })
}
