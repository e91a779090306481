import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { document, documentKey, sealDocument } from '../../src/storage/documents.ts'
import { loadKeyring } from '../../src/storage/keyring.ts'
import { createSqliteStore } from '../../src/storage/sqlite.ts'
import type { Commit, Store } from '../../src/storage/store.ts'
import { createUnitOfWork } from '../../src/storage/unit-of-work.ts'
import { createVault } from '../../src/storage/vault.ts'
import { createClock, minute, post, temporaryFolder } from './worlds.ts'

const boards = document('b', { schema: z.object({ tests: z.number() }) })

/** The unit of work of one message, and its commits; all its writes go through a commit. */
async function working() {
  const clock = createClock()
  const dir = await temporaryFolder()
  const store = await createSqliteStore({ dir, now: clock.now })
  onTestFinished(async () => {
    await store.close()
    await rm(dir, { recursive: true })
  })
  const vault = createVault(await loadKeyring(store, [randomBytes(32)]))
  await store.post(post('chat:1', 'update'))
  const claim = await store.claim(minute, ['chat'])
  if (!claim) throw new Error('nothing to claim')
  const commits: Commit[] = []
  const apart = () => Promise.reject(new Error('apart from the commit'))
  const watched: Store = {
    ...store,
    put: apart,
    post: apart,
    commit(claimed, commit) {
      commits.push(commit)
      return store.commit(claimed, commit)
    },
  }
  const term = { now: clock.now(), retentionDays: 30 }
  const begin = () => createUnitOfWork({ store: watched, vault, term }, claim)
  return { store, vault, commits, begin }
}

test('the posts of a message need no id check: only one of its commits can succeed', async () => {
  const { commits, begin } = await working()
  const work = begin()
  work.post('job:1', {})
  work.post('job:2', {})
  expect([await work.commit(), await work.commit()]).toEqual(['ok', 'lost'])
  expect(commits[0]?.posts?.map(({ actor, once }) => [actor, once])).toEqual([
    ['job:1', true],
    ['job:2', true],
  ])
})

test('a commit repeated under its id is answered as done', async () => {
  const { store, begin } = await working()
  const work = begin()
  work.put(boards, 'one', { tests: 1 })
  work.post('job:1', {})
  expect([await work.commit({ id: 'own' }), await work.commit({ id: 'own' })]).toEqual(['ok', 'ok'])
  expect(await store.backlog(['job'])).toEqual([expect.objectContaining({ waiting: 1 })])
  expect(await begin().get(boards, 'one')).toEqual({ tests: 1 })
})

test('documents and posts are kept together, or neither if another worker was faster', async () => {
  const { store, vault, begin } = await working()
  const change = async () => {
    const work = begin()
    const board = await work.get(boards, 'one')
    work.put(boards, 'one', { tests: (board?.tests ?? 0) + 1 })
    work.post('job:1', {})
    return work
  }
  const slower = await change()
  const value = sealDocument(vault, boards, 'one', { tests: 7 })
  expect(await store.put({ key: documentKey(boards, 'one'), value }, null)).toBe(true)
  expect(await slower.commit()).toBe('conflict')
  expect(await store.claim(minute, ['job'])).toBeUndefined()
  expect(await (await change()).commit()).toBe('ok')
  expect(await store.claim(minute, ['job'])).toMatchObject({ actor: 'job:1' })
  expect(await begin().get(boards, 'one')).toEqual({ tests: 8 })
})
