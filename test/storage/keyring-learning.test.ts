import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadKeyring } from '../../src/storage/keyring.ts'
import { guardKeyring } from '../../src/storage/keyring-guard.ts'
import { createSqliteStore } from '../../src/storage/sqlite.ts'
import type { Store } from '../../src/storage/store.ts'
import { createVault, type Vault } from '../../src/storage/vault.ts'
import { temporaryFolder } from './worlds.ts'

const dataKeys = [randomBytes(32), randomBytes(32)]
let dir: string
let store: Store
let guarded: ReturnType<typeof guardKeyring>
let vault: Vault
/** The number of failures to come when the keyring is read. */
let failures = 0

beforeEach(async () => {
  dir = await temporaryFolder()
  store = await createSqliteStore({ dir, now: Date.now })
  const keyring = await loadKeyring(store, dataKeys)
  const read: Store['read'] = async (keys) => {
    if (!keys.includes('keyring')) return store.read(keys)
    // Later than any other read of this moment.
    await setImmediate()
    if (failures-- > 0) throw new Error('the store is away')
    return store.read(keys)
  }
  guarded = guardKeyring({ store: { ...store, read }, dataKeys, keyring, onRestored: () => {} })
  vault = createVault(keyring)
  const newer = createVault(await loadKeyring(store, dataKeys.toReversed()))
  for (const key of ['one', 'two'])
    await store.put({ key, value: newer.seal(key, Buffer.from(`of ${key}`)) }, null)
})

afterEach(async () => {
  failures = 0
  await guarded.close()
  await rm(dir, { recursive: true })
})

async function open(key: string): Promise<string> {
  const [entry] = await guarded.read([key])
  return vault.open(key, entry?.value ?? Buffer.alloc(0)).toString()
}

test('values read together all wait for the new key that they need', async () => {
  expect(await Promise.all([open('one'), open('two')])).toEqual(['of one', 'of two'])
})

test('if the lookup of a key fails, it is tried again with the next value', async () => {
  failures = 1
  await expect(open('one')).rejects.toThrow('the store is away')
  expect(await open('two')).toBe('of two')
})

test('nothing is written to a store without its keyring until the keyring is restored', async () => {
  const [kept] = await store.read(['keyring'])
  await store.put({ key: 'keyring', value: null }, kept?.version ?? null)
  const write = () => guarded.put({ key: 'three', value: vault.seal('three', Buffer.from('of three')) }, null)
  failures = 1
  await expect(guarded.compare()).rejects.toThrow('away')
  for (const _ of [1, 2]) await expect(write()).rejects.toThrow('without its keyring')
  expect(await store.read(['keyring', 'three'])).toEqual([undefined, undefined])
  await store.put({ key: 'keyring', value: kept?.value ?? null }, null)
  expect(await write()).toBe(true)
})
