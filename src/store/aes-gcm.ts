import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** Seals a value: iv (12) | tag (16) | ciphertext. It opens only under the same name, so values cannot be swapped. */
export function sealWith(key: Buffer, value: Buffer, name: string): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(name))
  const ciphertext = Buffer.concat([cipher.update(value), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), ciphertext])
}

/** Opens what `sealWith` made; throws an `Error` when it was changed or belongs to another key or name. */
export function openSealed(key: Buffer, sealed: Buffer, name: string): Buffer {
  try {
    const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    })
    decipher.setAAD(Buffer.from(name)).setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes))
    return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()])
  } catch (cause) {
    throw new Error('a kept value does not open: it was changed, or belongs to another key', { cause })
  }
}
