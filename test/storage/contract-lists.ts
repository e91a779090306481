import { expect, test } from 'vitest'
import { LISTED_FOR_MS, type Listed } from '../../src/storage/store.ts'
import { claimNext, createClock, type OpenStore, post, start } from './worlds.ts'

/** Entries in lists: counted and read in order, changed only by commits. */
export function describeLists(open: OpenStore) {
  async function world() {
    const store = await open(createClock())
    let commits = 0
    async function commit(lists: Listed[], expects: { key: string; version: string | null }[] = []) {
      commits += 1
      await store.post(post('writer', `commit ${commits}`))
      return store.commit(await claimNext(store), { lists, expects })
    }
    const ids = async (list: string, from = 0, skip = 0, most = 10) =>
      (await store.listed(list, { from, skip, most })).map(({ id }) => id)
    const counts = (...lists: string[]) => store.counts(lists.map((list) => ({ list, from: 0 })))
    return { store, commit, ids, counts }
  }
  const at = (id: string, list: string | null, minutes: number): Listed => ({ id, list, at: start + minutes })

  test('the entries of a list are counted, and read oldest first, piece by piece', async () => {
    const { store, commit, ids, counts } = await world()
    expect(await counts('stuck', 'code')).toEqual([0, 0])
    expect(
      await commit([at('b', 'stuck', 2), at('a', 'stuck', 3), at('c', 'stuck', 1), at('d', 'code', 1)]),
    ).toBe('ok')
    expect(await counts('stuck', 'code', 'nothing')).toEqual([3, 1, 0])
    expect(await ids('stuck')).toEqual(['c', 'b', 'a'])
    expect([await ids('stuck', 0, 1, 1), await ids('stuck', 0, 3)]).toEqual([['b'], []])
    expect(await ids('stuck', start + 2)).toEqual(['b', 'a'])
    expect(await store.counts([{ list: 'stuck', from: start + 3 }])).toEqual([1])
    expect(await store.listed('code', { from: 0, skip: 0, most: 1 })).toEqual([{ id: 'd', at: start + 1 }])
  })

  test('an entry is in one list at a time, and in none after it is removed', async () => {
    const { commit, ids, counts } = await world()
    await commit([at('a', 'code', 1), at('b', 'code', 2)])
    await commit([at('a', 'stuck', 3)])
    expect([await ids('code'), await ids('stuck')]).toEqual([['b'], ['a']])
    await commit([at('b', 'code', 4), at('a', null, 4)])
    expect(await counts('code', 'stuck')).toEqual([1, 0])
    await commit([at('a', null, 5)])
    expect(await counts('code', 'stuck')).toEqual([1, 0])
  })

  test('a refused commit lists nothing', async () => {
    const { commit, counts } = await world()
    expect(await commit([at('a', 'code', 1)], [{ key: 'draft:1', version: 'other' }])).toBe('conflict')
    expect(await counts('code')).toEqual([0])
  })

  test('a recount moves an entry from a wrong list, and leaves one in the right list in its place', async () => {
    const { commit, ids } = await world()
    await commit([at('a', 'code', 1), at('b', 'code', 2)])
    await commit([
      { ...at('a', 'code', 9), isRecount: true },
      { ...at('b', 'stuck', 9), isRecount: true },
    ])
    await commit([at('c', 'code', 5)])
    expect([await ids('code'), await ids('stuck')]).toEqual([['a', 'c'], ['b']])
  })

  test('an entry leaves its list when it is too old for every reader', async () => {
    const { commit, ids, counts } = await world()
    await commit([at('old', 'code', 0), at('newer', 'code', 1)])
    await commit([at('new', 'code', LISTED_FOR_MS)])
    expect(await ids('code')).toEqual(['newer', 'new'])
    await commit([at('old', 'stuck', LISTED_FOR_MS)])
    expect(await counts('code', 'stuck')).toEqual([2, 1])
  })
}
