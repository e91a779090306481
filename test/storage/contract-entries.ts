import { expect, test } from 'vitest'
import { createClock, KINDS, minute, type OpenStore, post, textOf } from './worlds.ts'

export function describeEntries(open: OpenStore) {
  async function world() {
    const clock = createClock()
    const store = await open(clock)
    /** Writes through a claim, as all code but the keyring does. */
    async function write(key: string, text: string | null, expiresAt?: number) {
      await store.post(post('writer', `${key}${Math.random()}`))
      const claim = await store.claim(minute, KINDS)
      const value = text === null ? null : Buffer.from(text)
      if (claim) await store.commit(claim, { writes: [{ key, value, ...(expiresAt && { expiresAt }) }] })
    }
    const version = async (key: string) => (await store.read([key]))[0]?.version ?? null
    return { clock, store, write, version }
  }

  test('several keys are read at once, absent ones as undefined', async () => {
    const { store, write } = await world()
    await write('draft:1', 'one')
    await write('draft:2', 'two')
    const entries = await store.read(['draft:2', 'draft:0', 'draft:1'])
    expect(entries.map((entry) => entry?.value.toString())).toEqual(['two', undefined, 'one'])
    expect(await store.read([])).toEqual([])
  })

  test("one key is read together with the store's time", async () => {
    const { clock, store, write } = await world()
    await write('draft:1', 'one', clock.now() + minute)
    const first = await store.readAt('draft:1')
    expect(first).toMatchObject({ at: clock.now(), entry: { value: Buffer.from('one') } })
    expect(await store.put({ key: 'draft:1', value: null }, first.entry?.version ?? null)).toBe(true)
    await write('draft:2', 'two', clock.now() + minute)
    clock.wait(minute)
    expect(await store.readAt('draft:2')).toEqual({ at: clock.now(), entry: undefined })
  })

  test('any bytes are kept as they are', async () => {
    const { store } = await world()
    const value = Buffer.from(Array.from({ length: 512 }, (_, byte) => byte % 256))
    await store.put({ key: 'bytes', value }, null)
    await store.put({ key: 'empty', value: Buffer.alloc(0) }, null)
    const [bytes, empty] = await store.read(['bytes', 'empty'])
    expect(bytes?.value.equals(value)).toBe(true)
    expect(empty?.value).toHaveLength(0)
  })

  test('the version changes with every write, even of the same value', async () => {
    const { write, version } = await world()
    const seen = new Set<string | null>()
    for (let count = 0; count < 3; count++) {
      await write('draft:1', 'same')
      seen.add(await version('draft:1'))
    }
    expect(seen.size).toBe(3)
  })

  test('an expired key is absent, also for preconditions', async () => {
    const { clock, store, write } = await world()
    await write('draft:1', 'short', clock.now() + minute)
    await write('draft:2', 'for ever')
    clock.wait(minute - 1)
    expect(await textOf(store, 'draft:1')).toBe('short')
    clock.wait(1)
    expect(await textOf(store, 'draft:1')).toBeUndefined()
    expect(await store.put({ key: 'draft:1', value: Buffer.from('new') }, null)).toBe(true)
    clock.wait(10 * 365 * 24 * 60 * minute)
    expect(await textOf(store, 'draft:1')).toBe('new')
    expect(await textOf(store, 'draft:2')).toBe('for ever')
  })

  test('a write without an expiry is kept for ever, and null deletes', async () => {
    const { clock, store, write } = await world()
    await write('draft:1', 'short', clock.now() + minute)
    await write('draft:1', 'longer')
    clock.wait(minute)
    expect(await textOf(store, 'draft:1')).toBe('longer')
    await write('draft:1', null)
    expect(await textOf(store, 'draft:1')).toBeUndefined()
  })

  test('without a claim a key is written only over the version that was seen', async () => {
    const { store, version } = await world()
    const put = (text: string, seen: string | null) =>
      store.put({ key: 'keyring', value: Buffer.from(text) }, seen)
    const atOnce = await Promise.all(['a', 'b', 'c', 'd'].map((text) => put(text, null)))
    expect(atOnce.filter(Boolean)).toHaveLength(1)
    const seen = await version('keyring')
    expect(await put('e', seen)).toBe(true)
    expect(await put('f', seen)).toBe(false)
    expect(await put('g', null)).toBe(false)
    expect(await textOf(store, 'keyring')).toBe('e')
  })

  test('the storage answers a ping', async () => {
    const { store } = await world()
    await expect(store.ping()).resolves.toBeUndefined()
  })
}
