import { createHmac, hkdfSync } from 'node:crypto'
import { isAttempt, openAttempt } from '../domain/attempt-layout.ts'
import { createRandom, IV_BYTES, openSealed, sealWith } from './aes-gcm.ts'
import { createAttemptCipher } from './attempt-cipher.ts'
import type { Keyring } from './keyring.ts'

/** Encrypts and hashes personal data for the store. */
export type Vault = ReturnType<typeof createVault>

const HASH_BYTES = 12
const OWNER_BYTES = 8
const NUMBER_BYTES = 2
const MOST_NEW_KEYS = 64

/** Creates the vault of a store from its keyring, which may grow. */
export function createVault(keyring: Keyring) {
  const random = createRandom()
  const sealKeys = derivedKeys(keyring, 'porsa values')
  const attemptKeys = derivedKeys(keyring, 'porsa sittings')
  const digest = (kind: string, content: string | Buffer) =>
    createHmac('sha256', keyring.index).update(`${kind}\0`).update(content).digest()

  return {
    /** The whole keyed hash: 32 bytes. */
    digest,
    /** The keyed hash of a text of this kind: 16 characters of base64url (96 bits). */
    hash: (kind: string, text: string): string =>
      digest(kind, text).subarray(0, HASH_BYTES).toString('base64url'),
    /** The first 8 bytes of the keyed hash of an attempt's owner. */
    owner8: (text: string): Buffer => digest('owner', text).subarray(0, OWNER_BYTES),
    /** Encrypts a value for this key of the store; it does not open under another key. */
    seal(key: string, value: Buffer): Buffer {
      const number = Buffer.alloc(NUMBER_BYTES)
      number.writeUInt16BE(keyring.current)
      return Buffer.concat([number, sealWith(sealKeys(keyring.current), value, key, random(IV_BYTES))])
    },
    /** Throws an `Error` when the value was changed or sealed for another key. */
    open(key: string, sealed: Buffer): Buffer {
      if (sealed.length < NUMBER_BYTES) throw new Error('a kept value is cut off')
      return openSealed(sealKeys(sealed.readUInt16BE()), sealed.subarray(NUMBER_BYTES), key)
    },
    /** The number of the data key that new attempts are encrypted with. */
    get dataKey() {
      return keyring.current
    },
    attemptCipher: createAttemptCipher(attemptKeys),
  }
}

/** Derives a key for each use: values and attempts never share a key. */
function derivedKeys(keyring: Keyring, use: string): (number: number) => Buffer {
  const derived = new Map<number, Buffer>()
  return (number) => {
    const known = derived.get(number)
    if (known) return known
    const key = keyring.data.get(number)
    if (!key) throw new Error(`data key ${number} is not in the keyring`)
    const made = Buffer.from(hkdfSync('sha256', key, '', use, 32))
    derived.set(number, made)
    return made
  }
}

/** Whether a value may need a data key above the known ones: every sealed value begins with its number. */
export function needsUnknownKey(keyring: Keyring, value: Buffer): boolean {
  const numbers = [
    ...(value.length >= NUMBER_BYTES ? [value.readUInt16BE()] : []),
    ...(isAttempt(value) ? [openAttempt(value).dataKey] : []),
  ]
  // Processes add keys one by one. Much larger numbers are the first bytes of unsealed values.
  return numbers.some((number) => number > keyring.current && number <= keyring.current + MOST_NEW_KEYS)
}
