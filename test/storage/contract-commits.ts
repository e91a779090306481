import { expect, test } from 'vitest'
import { COMMIT_SEEN_FOR_MS } from '../../src/storage/store.ts'
import {
  claimNext,
  createClock,
  handleAll,
  handleNext,
  KINDS,
  minute,
  type OpenStore,
  post,
  textOf,
} from './worlds.ts'

const lease = minute

/** What a commit does in one step, and only once, even if it is repeated. */
export function describeCommits(open: OpenStore) {
  async function world() {
    const clock = createClock()
    const store = await open(clock)
    return { store, claim: () => claimNext(store), wait: clock.wait, now: clock.now }
  }

  test('a commit writes, posts and ends the message in one step', async () => {
    const { store, claim } = await world()
    await store.post(post('chat:1', 'begin'))
    const begin = await claim()
    const writes = [{ key: 'draft:1', value: Buffer.from('kept') }]
    const posts = [post('job:1', 'submit'), post('job:1', 'submit'), post('chat:1', 'next')]
    expect(await store.commit(begin, { writes, posts })).toBe('ok')
    expect(await textOf(store, 'draft:1')).toBe('kept')
    expect((await handleAll(store)).sort()).toEqual(['next', 'submit'])
  })

  test('no reader sees the writes of a commit without its posts', async () => {
    const { store, claim } = await world()
    for (let round = 1; round <= 20; round += 1) {
      await store.post(post('chat:1', `${round}`))
      const key = `draft:${round}`
      const writes = [{ key, value: Buffer.from('kept') }]
      const committing = store.commit(await claim(), {
        writes,
        posts: [post(`wait:${round}`, `own ${round}`)],
      })
      let isWritten = false
      while (!isWritten) {
        const [[entry], [waiting]] = await Promise.all([store.read([key]), store.backlog(['wait'])])
        isWritten = entry !== undefined
        if (isWritten) expect(waiting?.waiting).toBe(round)
        await new Promise(setImmediate)
      }
      expect(await committing).toBe('ok')
    }
  })

  test('a commit whose preconditions fail changes nothing, and the claim stays', async () => {
    const { store, claim } = await world()
    await store.put({ key: 'claim:1', value: Buffer.from('taken') }, null)
    const [taken] = await store.read(['claim:1'])
    await store.post(post('chat:1', 'begin'))
    const begin = await claim()
    const attempt = (expects: { key: string; version: string | null }[]) =>
      store.commit(begin, {
        expects,
        writes: [{ key: 'claim:1', value: Buffer.from('mine') }],
        posts: [post('chat:2', 'told')],
      })
    expect(await attempt([{ key: 'claim:1', version: null }])).toBe('conflict')
    expect(await attempt([{ key: 'free', version: taken?.version ?? '' }])).toBe('conflict')
    expect(await textOf(store, 'claim:1')).toBe('taken')
    expect(await store.claim(lease, KINDS)).toBeUndefined()
    expect(
      await attempt([
        { key: 'claim:1', version: taken?.version ?? '' },
        { key: 'free', version: null },
      ]),
    ).toBe('ok')
    expect(await handleAll(store)).toEqual(['told'])
  })

  test('a claim commits once', async () => {
    const { store, claim } = await world()
    await store.post(post('chat:1', '1'))
    await store.post(post('chat:1', '2'))
    const first = await claim()
    expect(await store.commit(first, {})).toBe('ok')
    expect(await store.commit(first, { writes: [{ key: 'draft:1', value: Buffer.from('x') }] })).toBe('lost')
    expect(await store.renew(first, lease)).toBe(false)
    expect(await textOf(store, 'draft:1')).toBeUndefined()
    expect(await handleNext(store)).toBe('2')
  })

  const unheard = (id: string) => ({
    id,
    writes: [{ key: 'draft:1', value: Buffer.from('kept') }],
    posts: [post('job:1', 'own', { once: true })],
  })

  test('a commit that is repeated after a lost reply is answered as done and does nothing twice', async () => {
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

  test('the answer stays after later commits, even if they changed what it expected', async () => {
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
    // Commit ids are forgotten after a while.
    wait(1)
    expect(await store.commit(first, commit)).toBe('lost')
  })

  test('a message that is put back twice by one commit counts one failure', async () => {
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

  test('a refused commit may be tried again under its id', async () => {
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
