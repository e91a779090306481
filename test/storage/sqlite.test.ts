import { rm } from 'node:fs/promises'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createSqliteStore } from '../../src/storage/sqlite.ts'
import type { Store } from '../../src/storage/store.ts'
import { describeStore } from './contract.ts'
import { temporaryFolder } from './worlds.ts'

const folders = new Map<Store, string>()
const stores: Store[] = []

afterEach(() => Promise.all(stores.splice(0).map((store) => store.close())))
afterAll(() => Promise.all([...new Set(folders.values())].map((folder) => rm(folder, { recursive: true }))))

async function opened(now: () => number, killed?: Store): Promise<Store> {
  const dir = (killed && folders.get(killed)) ?? (await temporaryFolder())
  if (killed) await stores.splice(stores.indexOf(killed), 1)[0]?.close()
  const store = await createSqliteStore({ dir, now })
  folders.set(store, dir)
  stores.push(store)
  return store
}

describeStore('SQLite', ({ now }, killed) => opened(now, killed))

test('a ping is a write: a disk that takes none is found by it', async () => {
  const store = await opened(Date.now)
  await store.ping()
  expect((await store.readAt('#ping')).entry?.value).toEqual(Buffer.of(1))
})
