// Stands in for `node:crypto`: the same, but random values come from the seed.
import { createRequire } from 'node:module'
import { surroundings } from './surroundings.ts'

const real = createRequire(import.meta.url)('node:crypto') as typeof import('node:crypto')

export const { createCipheriv, createDecipheriv, createHash, createHmac, hash, hkdfSync, timingSafeEqual } =
  real

export function randomBytes(size: number): Buffer {
  const { chance } = surroundings() ?? {}
  return chance ? chance.bytes(size) : real.randomBytes(size)
}

export function randomUUID(): string {
  const bytes = randomBytes(16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

export function randomInt(from: number, to?: number): number {
  const { chance } = surroundings() ?? {}
  const [least, end] = to === undefined ? [0, from] : [from, to]
  return chance ? least + chance.below(end - least) : real.randomInt(least, end)
}
