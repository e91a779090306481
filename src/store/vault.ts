import { createHmac, hkdfSync } from 'node:crypto'
import { openSealed, sealWith } from './aes-gcm.ts'
import type { Keyring } from './keyring.ts'
import { createSittingCipher, type SittingCipher } from './sitting-cipher.ts'

/** Turns what is personal into what may be kept. */
export type Vault = {
  /** The keyed hash that stands for a text of this kind: 16 characters of base64url (96 bits). */
  hash(kind: string, text: string): string
  /** The first 8 bytes of the keyed hash of a sitting's owner. */
  owner8(text: string): Buffer
  /** Encrypts a value for this key of the store: it does not open under another. */
  seal(key: string, value: Buffer): Buffer
  /** Throws an `Error` when the value was changed or sealed for another key. */
  open(key: string, sealed: Buffer): Buffer
  /** The number of the data key that new sittings are encrypted with. */
  dataKey: number
  sittingCipher: SittingCipher
}

const HASH_BYTES = 12
const OWNER_BYTES = 8
const NUMBER_BYTES = 2

/** Makes the vault of a store from its keyring. */
export function createVault(keyring: Keyring): Vault {
  const sealKeys = derivedKeys(keyring, 'porsa values')
  const sittingKeys = derivedKeys(keyring, 'porsa sittings')
  const digest = (kind: string, text: string) =>
    createHmac('sha256', keyring.index).update(`${kind}\0${text}`).digest()

  return {
    hash: (kind, text) => digest(kind, text).subarray(0, HASH_BYTES).toString('base64url'),
    owner8: (text) => digest('owner', text).subarray(0, OWNER_BYTES),
    seal(key, value) {
      const number = Buffer.alloc(NUMBER_BYTES)
      number.writeUInt16BE(keyring.current)
      return Buffer.concat([number, sealWith(sealKeys(keyring.current), value, key)])
    },
    open(key, sealed) {
      if (sealed.length < NUMBER_BYTES) throw new Error('a kept value is cut off')
      return openSealed(sealKeys(sealed.readUInt16BE()), sealed.subarray(NUMBER_BYTES), key)
    },
    dataKey: keyring.current,
    sittingCipher: createSittingCipher(sittingKeys),
  }
}

/** One key for one use: values and sittings never share a key. */
function derivedKeys(keyring: Keyring, use: string): (number: number) => Buffer {
  const keys = new Map(
    [...keyring.data].map(([number, key]) => [number, Buffer.from(hkdfSync('sha256', key, '', use, 32))]),
  )
  return (number) => {
    const key = keys.get(number)
    if (!key) throw new Error(`data key ${number} is not in the keyring of this process: restart it`)
    return key
  }
}
