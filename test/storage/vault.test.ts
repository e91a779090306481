import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { loadKeyring } from '../../src/storage/keyring.ts'
import type { Store } from '../../src/storage/store.ts'
import { createVault } from '../../src/storage/vault.ts'

/** The two operations that the keyring uses, each a tick apart as over a network. */
function memoryStore(): Pick<Store, 'read' | 'put'> & { kept(): Buffer | undefined } {
  const entries = new Map<string, { value: Buffer; version: string }>()
  let version = 0
  return {
    async read(keys) {
      await new Promise(setImmediate)
      return keys.map((key) => entries.get(key))
    },
    async put({ key, value }, expected) {
      await new Promise(setImmediate)
      if ((entries.get(key)?.version ?? null) !== expected || !value) return false
      version += 1
      entries.set(key, { value, version: String(version) })
      return true
    },
    kept: () => entries.get('keyring')?.value,
  }
}

const vaultOf = async (store: Pick<Store, 'read' | 'put'>, ...dataKeys: Buffer[]) =>
  createVault(await loadKeyring(store, dataKeys))

test('a value sealed by one process is opened by another one, under the same key only', async () => {
  const store = memoryStore()
  const dataKey = randomBytes(32)
  const sealed = (await vaultOf(store, dataKey)).seal('draft:1', Buffer.from('زهرا'))
  const vault = await vaultOf(store, dataKey)
  expect(sealed.includes('زهرا')).toBe(false)
  expect(vault.open('draft:1', sealed).toString()).toBe('زهرا')
  expect(() => vault.open('draft:2', sealed)).toThrow(/does not open/)
})

test('a value that was changed anywhere does not open', async () => {
  const vault = await vaultOf(memoryStore(), randomBytes(32))
  const sealed = vault.seal('draft:1', Buffer.from('text'))
  for (let at = 0; at < sealed.length; at++) {
    const harmed = Buffer.from(sealed)
    harmed[at] = (harmed[at] ?? 0) ^ 1
    expect(() => vault.open('draft:1', harmed)).toThrow()
  }
  for (let length = 0; length < sealed.length; length++) {
    expect(() => vault.open('draft:1', sealed.subarray(0, length))).toThrow()
  }
})

test('a value is sealed differently each time', async () => {
  const vault = await vaultOf(memoryStore(), randomBytes(32))
  const sealed = Array.from({ length: 10 }, () => vault.seal('draft:1', Buffer.from('text')).toString('hex'))
  expect(new Set(sealed).size).toBe(10)
})

test('hashes are short, stable, keyed, and different for each kind', async () => {
  const store = memoryStore()
  const dataKey = randomBytes(32)
  const vault = await vaultOf(store, dataKey)
  expect(vault.hash('mobile', '09121234567')).toMatch(/^[\w-]{16}$/)
  expect((await vaultOf(store, dataKey)).hash('mobile', '1')).toBe(vault.hash('mobile', '1'))
  expect(vault.hash('account', '1')).not.toBe(vault.hash('mobile', '1'))
  expect((await vaultOf(memoryStore(), dataKey)).hash('mobile', '1')).not.toBe(vault.hash('mobile', '1'))
  expect(vault.owner8('1')).toHaveLength(8)
  expect(vault.owner8('1')).not.toEqual(vault.owner8('2'))
})

test('processes that start together agree on one keyring', async () => {
  const store = memoryStore()
  const dataKey = randomBytes(32)
  const vaults = await Promise.all(Array.from({ length: 5 }, () => vaultOf(store, dataKey)))
  expect(new Set(vaults.map((vault) => vault.hash('account', '1'))).size).toBe(1)
})

test('a new first data key wraps the keyring again: hashes stay, old values open, new ones have a new key', async () => {
  const store = memoryStore()
  const [old, fresh] = [randomBytes(32), randomBytes(32)]
  const before = await vaultOf(store, old)
  const sealed = before.seal('draft:1', Buffer.from('old'))
  const rotated = await Promise.all([vaultOf(store, fresh, old), vaultOf(store, fresh, old)])
  for (const vault of rotated) {
    expect(vault.open('draft:1', sealed).toString()).toBe('old')
    expect(vault.hash('account', '1')).toBe(before.hash('account', '1'))
    expect(vault.dataKey).toBe(before.dataKey + 1)
    expect(vault.seal('draft:1', Buffer.from('new')).readUInt16BE()).toBe(vault.dataKey)
  }
  const after = await vaultOf(store, fresh)
  expect(after.open('draft:1', sealed).toString()).toBe('old')
  await expect(vaultOf(store, old)).rejects.toThrow(/DATA_KEY does not open this store/)
})

test('a further data key changes nothing', async () => {
  const store = memoryStore()
  const dataKey = randomBytes(32)
  await vaultOf(store, dataKey)
  const kept = store.kept()
  await vaultOf(store, dataKey, randomBytes(32))
  expect(store.kept()).toBe(kept)
})

test('a wrong data key is refused in words that show no value', async () => {
  const store = memoryStore()
  await vaultOf(store, randomBytes(32))
  const wrong = randomBytes(32)
  const refusal = await vaultOf(store, wrong).catch(String)
  expect(refusal).toMatch(/DATA_KEY does not open this store/)
  expect(refusal).not.toContain(wrong.toString('base64'))
})

test('no key is in the store, neither the wrapped nor the wrapping ones', async () => {
  const store = memoryStore()
  const dataKey = randomBytes(32)
  const { index, data } = await loadKeyring(store, [dataKey])
  for (const key of [index, ...data.values(), dataKey]) {
    expect(store.kept()?.includes(key)).toBe(false)
    expect(store.kept()?.includes(key.toString('base64'))).toBe(false)
  }
})
