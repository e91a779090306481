import { rm } from 'node:fs/promises'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createSqliteStore } from '../../src/storage/sqlite.ts'
import type { Store } from '../../src/storage/store.ts'
import { describeStore } from './contract.ts'
import { temporaryFolder } from './worlds.ts'

const folders: string[] = []
const stores: Store[] = []

afterEach(() => Promise.all(stores.splice(0).map((store) => store.close())))
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

async function opened(now: () => number): Promise<Store> {
  const dir = await temporaryFolder()
  folders.push(dir)
  const store = await createSqliteStore({ dir, now })
  stores.push(store)
  return store
}

describeStore('SQLite', ({ now }) => opened(now))

test('a ping is a write: a disk that takes none is found by it', async () => {
  const store = await opened(Date.now)
  await store.ping()
  expect((await store.readAt('#ping')).entry?.value).toEqual(Buffer.of(1))
})
