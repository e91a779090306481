import { createHmac, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { openSealed, sealWith } from './aes-gcm.ts'
import type { Store } from './store.ts'

/**
 * The keys of one store: `index` never changes, `data` are numbered, new values are sealed with `current`. A process
 * has one of these for its whole life; it grows by the keys that other processes make.
 */
export type Keyring = { index: Buffer; data: ReadonlyMap<number, Buffer>; current: number }

type KeyringStore = Pick<Store, 'read' | 'put'>

const KEYRING_KEY = 'keyring'
const KEY_BYTES = 32
const NAME_BYTES = 8

const wireKey = z.string().transform((text) => Buffer.from(text, 'base64'))
const wireKeyring = z.object({ index: wireKey, data: z.array(z.tuple([z.number().int(), wireKey])).min(1) })

/**
 * Opens the keyring of this store, or makes it once: several processes that start together end with the same one.
 * If another than the first data key wraps it, it is wrapped anew and gets a new key for new values. Throws an `Error`
 * when no given key opens it.
 */
export async function loadKeyring(store: KeyringStore, dataKeys: readonly Buffer[]): Promise<Keyring> {
  const [first] = dataKeys
  if (!first) throw new Error('a keyring needs a data key')
  for (;;) {
    const [entry] = await store.read([KEYRING_KEY])
    const opened = entry && unwrap(entry.value, dataKeys)
    if (opened?.wrappedBy === first) return opened.keyring
    const keyring = withNewKey(opened?.keyring)
    const value = wrap(keyring, first)
    if (await store.put({ key: KEYRING_KEY, value }, entry?.version ?? null)) return keyring
    // Another process was faster: what it left is read.
  }
}

/** The keyring that is kept; `undefined` where there is none yet. Changes nothing. Throws when no given key opens it. */
export async function findKeyring(
  store: Pick<Store, 'read'>,
  dataKeys: readonly Buffer[],
): Promise<Keyring | undefined> {
  const [entry] = await store.read([KEYRING_KEY])
  return entry && unwrap(entry.value, dataKeys).keyring
}

/** The store has the keyring of somebody else, or one that no given key opens. */
export class ForeignKeyringError extends Error {
  override readonly name = 'ForeignKeyringError'
}

/**
 * Compares what the store has with the keyring that this process works with, which learns the keys that are new.
 * `restored`: the store has lost some of its keys, and has them back. Throws while it has no keyring at all, since what was
 * kept is gone with it, and a `ForeignKeyringError` when the two do not belong together.
 */
export async function compareKeyring(store: KeyringStore, dataKeys: readonly Buffer[], keyring: Keyring) {
  for (;;) {
    const [entry] = await store.read([KEYRING_KEY])
    if (!entry)
      throw new Error('the store came back without its keyring, so without what was kept: put it back')
    const kept = unwrap(entry.value, dataKeys)
    Object.assign(keyring, merge(keyring, kept.keyring))
    if (kept.keyring.data.size === keyring.data.size) return 'same'
    const value = wrap(keyring, kept.wrappedBy)
    if (await store.put({ key: KEYRING_KEY, value }, entry.version)) return 'restored'
    // Another process was faster: what it left is read.
  }
}

function merge(ours: Keyring, theirs: Keyring): Keyring {
  const isOther = [...theirs.data].some(([number, key]) => ours.data.get(number)?.equals(key) === false)
  if (isOther || !ours.index.equals(theirs.index))
    throw new ForeignKeyringError(
      'the store came back with the keyring of another: what was kept is not there',
    )
  const data = new Map([...ours.data, ...theirs.data])
  return { index: ours.index, data, current: Math.max(...data.keys()) }
}

function withNewKey(keyring: Keyring | undefined): Keyring {
  const number = (keyring?.current ?? 0) + 1
  return {
    index: keyring?.index ?? randomBytes(KEY_BYTES),
    data: new Map([...(keyring?.data ?? []), [number, randomBytes(KEY_BYTES)]]),
    current: number,
  }
}

/** Tells wrapping keys apart without a word about them. */
const nameOf = (key: Buffer): Buffer =>
  createHmac('sha256', key).update('porsa data key name').digest().subarray(0, NAME_BYTES)

function wrap(keyring: Keyring, dataKey: Buffer): Buffer {
  const base64 = (key: Buffer) => key.toString('base64')
  const data = [...keyring.data].map(([number, key]) => [number, base64(key)])
  const plain = Buffer.from(JSON.stringify({ index: base64(keyring.index), data }))
  return Buffer.concat([nameOf(dataKey), sealWith(dataKey, plain, KEYRING_KEY)])
}

function unwrap(wrapped: Buffer, dataKeys: readonly Buffer[]): { keyring: Keyring; wrappedBy: Buffer } {
  const wrappedBy = dataKeys.find((key) => nameOf(key).equals(wrapped.subarray(0, NAME_BYTES)))
  if (!wrappedBy) {
    throw new ForeignKeyringError(
      'DATA_KEY does not open this store: give the key it was made with (several: comma-separated)',
    )
  }
  const plain = openSealed(wrappedBy, wrapped.subarray(NAME_BYTES), KEYRING_KEY)
  const { index, data } = wireKeyring.parse(JSON.parse(plain.toString('utf8')))
  const current = Math.max(...data.map(([number]) => number))
  return { keyring: { index, data: new Map(data), current }, wrappedBy }
}
