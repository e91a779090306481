import { expect, test } from 'vitest'
import {
  claimNext,
  createClock,
  handleAll,
  hour,
  KINDS,
  minute,
  type OpenStore,
  post,
  textOf,
} from './worlds.ts'

const lease = minute

export function describeQueue(open: OpenStore) {
  async function world() {
    const clock = createClock()
    const store = await open(clock)
    return { store, claim: () => claimNext(store), wait: clock.wait, now: clock.now }
  }

  test('messages of an actor come one at a time in the order of posting', async () => {
    const { store, claim } = await world()
    for (const id of ['1', '2', '3']) expect(await store.post(post('chat:1', id))).toBe('posted')
    const first = await claim()
    expect(first).toMatchObject({ actor: 'chat:1', message: { id: '1', retries: 0, begun: false } })
    expect(first.message.body.toString()).toBe('1')
    expect(await store.claim(lease, KINDS)).toBeUndefined()
    expect(await store.commit(first, {})).toBe('ok')
    expect(await handleAll(store)).toEqual(['2', '3'])
  })

  test('the actor that waits longest is next', async () => {
    const { store, wait, now } = await world()
    await store.post(post('chat:late', 'late', { dueAt: now() + 5 }))
    for (const actor of ['c', 'a', 'b']) {
      wait(10)
      await store.post(post(`chat:${actor}`, actor))
    }
    expect(await handleAll(store)).toEqual(['late', 'c', 'a', 'b'])
  })

  test('an id is accepted once in 24 hours, whoever posts it', async () => {
    const { store, wait } = await world()
    await store.post(post('chat:1', 'update'))
    expect(await store.post(post('chat:1', 'update'))).toBe('duplicate')
    await handleAll(store)
    wait(24 * hour - 1)
    expect(await store.post(post('chat:2', 'update', { replace: true }))).toBe('duplicate')
    wait(1)
    expect(await store.post(post('chat:1', 'update'))).toBe('posted')
    expect(await handleAll(store)).toEqual(['update'])
  })

  test('a post with `once` is neither compared with the seen ids nor added to them', async () => {
    const { store, claim } = await world()
    await store.post(post('chat:1', 'begin'))
    const posts = [post('chat:1', 'own', { once: true }), post('chat:1', 'begin', { once: true })]
    await store.commit(await claim(), { posts })
    expect(await handleAll(store)).toEqual(['own', 'begin'])
    expect(await store.post(post('chat:1', 'own'))).toBe('posted')
    expect(await store.post(post('chat:1', 'begin'))).toBe('duplicate')
  })

  test('a message is not handed out before it is due, and those behind it wait too', async () => {
    const { store, wait, now } = await world()
    await store.post(post('remind:1', 'later', { dueAt: now() + hour }))
    await store.post(post('remind:1', 'behind'))
    wait(hour - 1)
    expect(await store.claim(lease, KINDS)).toBeUndefined()
    wait(1)
    expect(await handleAll(store)).toEqual(['later', 'behind'])
  })

  test('replace leaves only the new message, beside the one being handled', async () => {
    const { store, claim, now } = await world()
    await store.post(post('remind:1', 'first', { dueAt: now() + hour }))
    await store.post(post('remind:1', 'second', { replace: true }))
    const second = await claim()
    expect(second.message.id).toBe('second')
    await store.post(post('remind:1', 'third'))
    await store.post(post('remind:1', 'fourth', { replace: true }))
    expect(await store.claim(lease, KINDS)).toBeUndefined()
    expect(await store.commit(second, {})).toBe('ok')
    expect(await handleAll(store)).toEqual(['fourth'])
  })

  test('a replacement inside a commit drops the waiting messages of the same actor', async () => {
    const { store, claim, now, wait } = await world()
    await store.post(post('poll:1', 'look'))
    await store.post(post('poll:1', 'waits'))
    await store.commit(await claim(), {
      posts: [post('poll:1', 'again', { replace: true, dueAt: now() + hour })],
    })
    expect(await handleAll(store)).toEqual([])
    wait(hour)
    expect(await handleAll(store)).toEqual(['again'])
  })

  test('when a lease runs out another worker gets the message, and the first one has lost it', async () => {
    const { store, claim, wait } = await world()
    await store.post(post('chat:1', 'verify'))
    await store.post(post('chat:1', 'next'))
    const dead = await claim()
    wait(lease - 1)
    expect(await store.claim(lease, KINDS)).toBeUndefined()
    wait(1)
    const second = await claim()
    expect(second.message).toMatchObject({ id: 'verify', begun: false, retries: 0 })
    expect(second.fence).not.toBe(dead.fence)
    const write = { key: 'draft:1', value: Buffer.from('late') }
    expect(await store.commit(dead, { writes: [write], posts: [post('chat:9', 'late')] })).toBe('lost')
    expect(await store.renew(dead, lease)).toBe(false)
    expect(await store.commit(second, {})).toBe('ok')
    expect(await textOf(store, 'draft:1')).toBeUndefined()
    expect((await claim()).message).toMatchObject({ id: 'next', begun: false })
  })

  test('a renewed lease lasts, and a late worker that was not replaced may still commit', async () => {
    const { store, claim, wait } = await world()
    await store.post(post('chat:1', '1'))
    const first = await claim()
    wait(lease - 1)
    expect(await store.renew(first, lease)).toBe(true)
    wait(lease - 1)
    expect(await store.claim(lease, KINDS)).toBeUndefined()
    wait(lease)
    expect(await store.commit(first, {})).toBe('ok')
    expect(await handleAll(store)).toEqual([])
  })

  test('a message that is put back is first again, at its time, with its failures counted', async () => {
    const { store, claim, wait, now } = await world()
    await store.post(post('chat:1', '1'))
    await store.post(post('chat:1', '2'))
    expect(await store.commit(await claim(), { retryAt: now() + 10 })).toBe('ok')
    expect(await store.claim(lease, KINDS)).toBeUndefined()
    wait(10)
    const again = await claim()
    expect(again.message).toMatchObject({ id: '1', retries: 1, begun: false })
    const retryBody = Buffer.from('place 4 in line')
    await store.commit(again, { retryAt: now(), retryBody, countsAsRetry: false })
    const third = await claim()
    expect(third.message).toMatchObject({ id: '1', retries: 1, begun: false })
    expect(third.message.body.toString()).toBe('place 4 in line')
    wait(lease)
    const fourth = await claim()
    expect(fourth.message).toMatchObject({ retries: 1, begun: false })
    await store.commit(fourth, { retryAt: now() })
    expect((await claim()).message).toMatchObject({ retries: 2, begun: false })
  })

  test('a message that was put back can be replaced', async () => {
    const { store, claim, now } = await world()
    await store.post(post('chat:1', 'old'))
    await store.commit(await claim(), { retryAt: now() + hour })
    await store.post(post('chat:1', 'new', { replace: true }))
    expect(await handleAll(store)).toEqual(['new'])
  })

  test('ids, actors and bodies may hold any text', async () => {
    const { store, claim } = await world()
    const actor = 'گفتگو: {1}\n'
    await store.post({ actor, id: 'شناسه 1', body: Buffer.from([0, 255, 13, 10, 0]) })
    const taken = await claim()
    expect(taken).toMatchObject({ actor, message: { id: 'شناسه 1', body: Buffer.from([0, 255, 13, 10, 0]) } })
    expect(await store.commit(taken, {})).toBe('ok')
  })
}
