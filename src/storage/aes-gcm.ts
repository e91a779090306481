import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
export const IV_BYTES = 12
const TAG_BYTES = 16

/** Seals a value: iv (12) | tag (16) | ciphertext. It opens only under the same name, so values cannot be swapped. */
export function sealWith(
  key: Buffer,
  value: Buffer,
  name: string,
  iv: Buffer = randomBytes(IV_BYTES),
): Buffer {
  const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(name))
  const ciphertext = Buffer.concat([cipher.update(value), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), ciphertext])
}

/** Opens what `sealWith` made; throws an `Error` when it was changed or belongs to another key or name. */
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
