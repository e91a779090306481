import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { loadKeyring } from '../../src/store/keyring.ts'
import { createSqliteStore } from '../../src/store/sqlite.ts'
import type { Post } from '../../src/store/store.ts'
import { createUnitOfWork } from '../../src/store/unit-of-work.ts'
import { createVault } from '../../src/store/vault.ts'
import { createClock, minute, post, temporaryFolder } from './worlds.ts'

test('what a message posts on its way is not remembered: only one commit of it can succeed', async () => {
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
  const posted: Post[] = []
  const watched: typeof store = {
    ...store,
    commit(claimed, commit) {
      posted.push(...(commit.posts ?? []))
      return store.commit(claimed, commit)
    },
  }
  const work = createUnitOfWork(
    { store: watched, vault, term: { now: clock.now(), retentionDays: 30 } },
    claim,
  )
  work.post('job:1', {})
  work.post('job:2', {})
  expect([await work.commit(), await work.commit()]).toEqual(['ok', 'lost'])
  expect(posted.every(({ once }) => once)).toBe(true)
})
