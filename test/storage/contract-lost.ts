import { expect, test } from 'vitest'
import type { Store } from '../../src/storage/store.ts'
import { claimNext, createClock, minute, type OpenStore, post } from './worlds.ts'

/** The store's count of lost claims of a message. */
export function describeLostClaims(open: OpenStore) {
  async function world() {
    const clock = createClock()
    const store = await open(clock)
    await store.post(post('chat:1', 'first'))
    await store.post(post('chat:1', 'second'))
    /** The next claim, after the lease of this one has run out. */
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

  test('lost claims are counted up to two while other messages are in work', async () => {
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

  test('a claim lost while it was alone counts as the third, for good', async () => {
    const { store, lostClaim, becomesAlone } = await world()
    await lostClaim()
    await lostClaim()
    await becomesAlone()
    expect((await lostClaim()).message.lost).toBe(3)
    expect(await lostOf(store)).toBe(3)
  })

  test('a claim that let others in again is not more suspected than before', async () => {
    const { store, lostClaim, becomesAlone } = await world()
    await lostClaim()
    await lostClaim()
    await becomesAlone({ andRests: true })
    expect(await lostOf(store)).toBe(2)
  })

  test('a worker that has lost its claim cannot mark it', async () => {
    const { store, lostClaim } = await world()
    await lostClaim()
    const loser = await lostClaim()
    const { message } = await lostClaim()
    await store.suspect(loser, true)
    expect(message.lost).toBe(2)
    expect(await lostOf(store)).toBe(2)
  })

  test('a message that is put back or ended is not blamed, and neither is the one behind it', async () => {
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
