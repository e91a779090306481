import { randomBytes } from 'node:crypto'

const POOL_BYTES = 4_096

/** Gives random bytes that nobody else gets: cut from a pool, since to ask the system takes longer than to seal a value. */
export function createRandom(): (bytes: number) => Buffer {
  let pool = Buffer.alloc(0)
  let taken = 0
  return (bytes) => {
    if (taken + bytes > pool.length) {
      // A new one: what was cut from the last is still somebody's.
      pool = randomBytes(Math.max(bytes, POOL_BYTES))
      taken = 0
    }
    taken += bytes
    return pool.subarray(taken - bytes, taken)
  }
}
