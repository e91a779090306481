import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createSqliteStore } from '../../src/storage/sqlite.ts'
import type { Store } from '../../src/storage/store.ts'
import { describeStore } from './contract.ts'
import { claimNext, createClock, hour, KINDS, minute, post, temporaryFolder } from './worlds.ts'

const folders = new Map<Store, string>()
const stores: Store[] = []

afterEach(() => Promise.all(stores.splice(0).map((store) => store.close())))
afterAll(() => Promise.all([...new Set(folders.values())].map((folder) => rm(folder, { recursive: true }))))

async function opened(now: () => number, killed?: Store, elapsed = now): Promise<Store> {
  const dir = (killed && folders.get(killed)) ?? (await temporaryFolder())
  if (killed) await stores.splice(stores.indexOf(killed), 1)[0]?.close()
  const store = await createSqliteStore({ dir, now, elapsed })
  folders.set(store, dir)
  stores.push(store)
  return store
}

describeStore('SQLite', ({ now }, killed) => opened(now, killed))

test('a ping is a write, so that it notices a disk that takes none', async () => {
  const store = await opened(Date.now)
  await store.ping()
  expect((await store.readAt('#ping')).entry?.value).toEqual(Buffer.of(1))
})

test('a lease lasts its full time, even if the clock is set forward meanwhile', async () => {
  const [clock, steady] = [createClock(), createClock()]
  const store = await opened(clock.now, undefined, steady.now)
  for (const actor of ['chat:1', 'chat:2']) await store.post(post(actor, actor))
  const first = await claimNext(store)
  clock.wait(2 * minute)
  expect((await claimNext(store)).actor).toBe('chat:2')
  expect(await store.claim(minute, KINDS)).toBeUndefined()
  expect(await store.renew(first, minute)).toBe(true)
  steady.wait(minute - 1)
  clock.wait(minute - 1)
  expect(await store.claim(minute, KINDS)).toBeUndefined()
  steady.wait(1)
  clock.wait(1)
  expect([(await claimNext(store)).actor, (await claimNext(store)).actor]).toEqual(['chat:1', 'chat:2'])
})

test('a store opened with the clock ahead expires values and takes up posts once the clock is right', async () => {
  const { now, wait } = createClock()
  const store = await opened(now)
  wait(-3 * hour)
  await store.put({ key: 'draft:1', value: Buffer.from('personal'), expiresAt: now() + minute }, null)
  const dir = folders.get(store) ?? ''
  const beside = await createSqliteStore({ dir, now, mode: 'beside' })
  await beside.post(post('chat:1', 'update'))
  await beside.close()
  wait(2 * minute)
  expect((await claimNext(store)).actor).toBe('chat:1')
  const db = new DatabaseSync(join(dir, 'porsa.db'), { readOnly: true })
  expect(db.prepare("SELECT key FROM entry WHERE key = 'draft:1'").all()).toEqual([])
  db.close()
})
