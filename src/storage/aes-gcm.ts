import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
export const IV_BYTES = 12
const TAG_BYTES = 16

/** Encrypts a value: iv (12) | tag (16) | ciphertext. The name is authenticated: values cannot be swapped. */
export function sealWith(key: Buffer, value: Buffer, name: string, iv: Buffer = randomBytes(IV_BYTES)) {
  const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(name))
  const ciphertext = Buffer.concat([cipher.update(value), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), ciphertext])
}

/** Decrypts a value of `sealWith`; throws an `Error` if it was changed, or has another key or name. */
export function openSealed(key: Buffer, sealed: Buffer, name: string): Buffer {
  try {
    const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(Buffer.from(name)).setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
  } catch (cause) {
    throw new Error('a kept value does not open: it was changed, or belongs to another key', { cause })
  }
}

const POOL_BYTES = 4_096

/** Returns random bytes, each used once. They come from a pool, because asking the system is slow. */
export function createRandom(): (bytes: number) => Buffer {
  let pool = Buffer.alloc(0)
  let taken = 0
  return (bytes) => {
    if (taken + bytes > pool.length) {
      // Allocate a new pool: callers still hold slices of the old one.
      pool = randomBytes(Math.max(bytes, POOL_BYTES))
      taken = 0
    }
    taken += bytes
    return pool.subarray(taken - bytes, taken)
  }
}
