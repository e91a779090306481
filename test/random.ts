import { randomInt } from 'node:crypto'

/** A small generator of reproducible sequences (mulberry32): numbers from 0 to under 1. */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The chance of one test: each call gives its own generator, equal in every run with this seed. */
export type Chance = () => (below: number) => number

/** Makes independent generators, whichever of their users comes first. */
export function createChance(seed: number): Chance {
  let made = 0
  return () => {
    const random = randomNumbers(seed + made++)
    return (below) => Math.floor(random() * below)
  }
}

/** A new seed, unless `TEST_SEED` names one to repeat. */
export const freshSeed = (): number => Number(process.env.TEST_SEED ?? randomInt(2 ** 31))

/** A new seed, printed at once, so that a failed test can be repeated with it. */
export function printedSeed(test: string): number {
  const seed = freshSeed()
  console.log(`${test}: TEST_SEED=${seed}`)
  return seed
}
