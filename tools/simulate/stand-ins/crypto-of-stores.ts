// Stands in for `node:crypto` where the stores ask for it: what one of them leaves to chance moves nothing that the seed decides
// elsewhere, so that both stores meet the same world.
import * as crypto from './crypto.ts'
import { surroundings } from './surroundings.ts'

export const { createCipheriv, createDecipheriv, createHash } = crypto

export const randomBytes = (size: number): Buffer =>
  surroundings()?.chanceOfStores.bytes(size) ?? crypto.randomBytes(size)
