import { createHmac, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { openSealed, sealWith } from './aes-gcm.ts'
import type { Store } from './store.ts'

/**
 * The keys of one store: `index` never changes, `data` keys are numbered, and `current` seals new values. A
 * process uses one keyring for its whole life and adds the keys that other processes make.
 */
export type Keyring = { index: Buffer; data: ReadonlyMap<number, Buffer>; current: number }

type KeyringStore = Pick<Store, 'read' | 'put'>

const KEYRING_KEY = 'keyring'
const KEY_BYTES = 32
const NAME_BYTES = 8

const wireKey = z.string().transform((text) => Buffer.from(text, 'base64'))
const wireKeyring = z.object({ index: wireKey, data: z.array(z.tuple([z.number().int(), wireKey])).min(1) })

/**
 * Opens the keyring of this store or creates it. Several processes that start at once end up with the same
 * keyring. A keyring wrapped by a data key other than the first is wrapped again with the first one and gets
 * a new key for new values. Throws an `Error` when no given key opens it.
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
    // Another process was faster: read its keyring.
  }
}

/** Reads the stored keyring, if there is one. Writes nothing. Throws when no given key opens it. */
export async function findKeyring(
  store: Pick<Store, 'read'>,
  dataKeys: readonly Buffer[],
): Promise<Keyring | undefined> {
  const [entry] = await store.read([KEYRING_KEY])
  return entry && unwrap(entry.value, dataKeys).keyring
}

/** The store has another keyring than this process, or one that no given key opens. */
export class ForeignKeyringError extends Error {
  override readonly name = 'ForeignKeyringError'
}

/**
 * Compares the stored keyring with that of this process, and adds new keys to the latter. `restored`: the
 * store had lost some keys, and they were written back. Throws when the store has no keyring, since its data
 * is lost too, and throws a `ForeignKeyringError` when the two keyrings do not belong together.
 */
export async function compareKeyring(store: KeyringStore, dataKeys: readonly Buffer[], keyring: Keyring) {
  for (;;) {
    const [entry] = await store.read([KEYRING_KEY])
    if (!entry) throw new Error('the store came back without its keyring, so without its data: restore it')
    const kept = unwrap(entry.value, dataKeys)
    Object.assign(keyring, merge(keyring, kept.keyring))
    if (kept.keyring.data.size === keyring.data.size) return 'same'
    const value = wrap(keyring, kept.wrappedBy)
    if (await store.put({ key: KEYRING_KEY, value }, entry.version)) return 'restored'
    // Another process was faster: read its keyring.
  }
}

function merge(ours: Keyring, theirs: Keyring): Keyring {
  const isOther = [...theirs.data].some(([number, key]) => ours.data.get(number)?.equals(key) === false)
  if (isOther || !ours.index.equals(theirs.index))
    throw new ForeignKeyringError(
      'the store came back with the keyring of another store, so without its data',
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

/** Identifies a wrapping key without revealing it. */
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
      dataKeys.length === 0
        ? 'the key of this store is not there: put it back at DATA_KEY_FILE (by default DATA_DIR with .key added)'
        : 'DATA_KEY does not open this store: give the key it was made with (several: comma-separated)',
    )
  }
  const plain = openSealed(wrappedBy, wrapped.subarray(NAME_BYTES), KEYRING_KEY)
  const { index, data } = wireKeyring.parse(JSON.parse(plain.toString('utf8')))
  const current = Math.max(...data.map(([number]) => number))
  return { keyring: { index, data: new Map(data), current }, wrappedBy }
}
