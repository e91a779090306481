import { rm } from 'node:fs/promises'
import { afterAll, afterEach } from 'vitest'
import { createSqliteStore } from '../../src/storage/sqlite.ts'
import type { Store } from '../../src/storage/store.ts'
import { describeStore } from './contract.ts'
import { temporaryFolder } from './worlds.ts'

const folders: string[] = []
const stores: Store[] = []

afterEach(() => Promise.all(stores.splice(0).map((store) => store.close())))
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

describeStore('SQLite', async ({ now }) => {
  const dir = await temporaryFolder()
  folders.push(dir)
  const store = await createSqliteStore({ dir, now })
  stores.push(store)
  return store
})
