import { expect, test } from 'vitest'
import { type Claim, COMMIT_SEEN_FOR_MS } from '../../src/store/store.ts'
import { createClock, handleAll, KINDS, minute, type OpenStore, post, textOf } from './worlds.ts'

const lease = minute

/** What a worker may still do with a claim: that of its own, one that was lost, and one that it has ended unheard. */
export function describeClaims(open: OpenStore) {
  async function world() {
    const clock = createClock()
    const store = await open(clock)
    async function claim(): Promise<Claim> {
      const claim = await store.claim(lease, KINDS)
      if (!claim) throw new Error('nothing to claim')
      return claim
    }
    /** What the next worker finds, once the lease of this one is over. */
    async function afterLease(): Promise<Claim> {
      clock.wait(lease)
      return claim()
    }
    return { store, claim, afterLease, wait: clock.wait, now: clock.now }
  }

  test('what was begun is known to the next worker, and the message is the same', async () => {
    const { store, claim, afterLease, now } = await world()
    await store.post(post('call:1', 'submit'))
    await store.post(post('call:1', 'next'))
    await store.commit(await claim(), { retryAt: now() })
    const first = await claim()
    expect(await store.begin(first, lease)).toBe(true)
    const second = await afterLease()
    expect(second.message).toEqual({ ...first.message, retries: 1, begun: true })
    expect((await afterLease()).message.begun).toBe(true)
  })

  test('what was not begun is not begun, however often its lease runs out or is renewed', async () => {
    const { store, claim, afterLease } = await world()
    await store.post(post('call:1', 'submit'))
    expect(await store.renew(await claim(), lease)).toBe(true)
    expect((await afterLease()).message.begun).toBe(false)
    expect((await afterLease()).message.begun).toBe(false)
  })

  test('whoever begins holds the message for another lease', async () => {
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

  test('a begun message that is put back stays begun where that is said, and only there', async () => {
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

  test('what was begun is no mark of the message behind it', async () => {
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

  test('who lost a lease begins and prolongs nothing', async () => {
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

  const unheard = (id: string) => ({
    id,
    writes: [{ key: 'draft:1', value: Buffer.from('kept') }],
    posts: [post('job:1', 'own', { once: true })],
  })

  test('a commit that is repeated, since its reply was lost, is known as done and does nothing twice', async () => {
    const { store, claim } = await world()
    await store.post(post('chat:1', '1'))
    await store.post(post('chat:1', '2'))
    const first = await claim()
    expect(await store.commit(first, unheard('one'))).toBe('ok')
    const [kept] = await store.read(['draft:1'])
    expect(await store.commit(first, unheard('one'))).toBe('ok')
    expect(await store.read(['draft:1'])).toEqual([kept])
    expect(await store.commit(first, unheard('two'))).toBe('lost')
    expect(await store.commit(first, {})).toBe('lost')
    expect(await handleAll(store)).toEqual(['2', 'own'])
  })

  test('it is known after others have gone on, and where they changed what it expected', async () => {
    const { store, claim, wait } = await world()
    await store.post(post('chat:1', '1'))
    await store.post(post('chat:1', '2'))
    const commit = { ...unheard('one'), expects: [{ key: 'draft:1', version: null }] }
    const first = await claim()
    expect(await store.commit(first, commit)).toBe('ok')
    const write = { key: 'draft:1', value: Buffer.from('later') }
    expect(await store.commit(await claim(), { id: 'two', writes: [write] })).toBe('ok')
    wait(COMMIT_SEEN_FOR_MS - 1)
    expect(await store.commit(first, commit)).toBe('ok')
    expect(await textOf(store, 'draft:1')).toBe('later')
    // Nothing is remembered for ever.
    wait(1)
    expect(await store.commit(first, commit)).toBe('lost')
  })

  test('a message that is put back twice by one commit has failed once', async () => {
    const { store, claim, now } = await world()
    await store.post(post('chat:1', '1'))
    const first = await claim()
    const putBack = { id: 'one', retryAt: now() }
    expect(await store.commit(first, putBack)).toBe('ok')
    const second = await claim()
    expect(await store.commit(first, putBack)).toBe('ok')
    expect(second.message.retries).toBe(1)
    expect(await store.commit(second, { id: 'two' })).toBe('ok')
    expect(await handleAll(store)).toEqual([])
  })

  test('a commit that was refused may be tried again under its id', async () => {
    const { store, claim } = await world()
    await store.put({ key: 'owner:1', value: Buffer.from('taken') }, null)
    await store.post(post('chat:1', '1'))
    const first = await claim()
    const commit = { ...unheard('one'), expects: [{ key: 'owner:1', version: null }] }
    expect(await store.commit(first, commit)).toBe('conflict')
    expect(await store.commit(first, commit)).toBe('conflict')
    expect(await textOf(store, 'draft:1')).toBeUndefined()
    expect(await store.commit(first, { ...commit, expects: [] })).toBe('ok')
    expect(await textOf(store, 'draft:1')).toBe('kept')
  })
}
