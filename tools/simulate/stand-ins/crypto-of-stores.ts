// Stands in for `node:crypto` in the stores: their random draws come from a separate source, so that they change nothing
// else that the seed decides, and both stores meet the same world.
import * as crypto from './crypto.ts'
import { surroundings } from './surroundings.ts'

export const { createCipheriv, createDecipheriv, createHash } = crypto

export const randomBytes = (size: number): Buffer =>
  surroundings()?.chanceOfStores.bytes(size) ?? crypto.randomBytes(size)
