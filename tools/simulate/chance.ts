import { randomNumbers } from '../../test/random.ts'

/** The source of randomness of a run, from its seed. */
export type Chance = ReturnType<typeof createChance>

export function createChance(seed: number) {
  const next = randomNumbers(Math.imul(seed, 0x9e3779b1))
  const below = (end: number) => Math.floor(next() * end)
  return {
    next,
    below,
    between: (least: number, most: number) => least + below(most - least + 1),
    /** True with this probability. */
    is: (part: number) => part > 0 && next() < part,
    pick: <T>(list: readonly T[]) => list[below(list.length)] as T,
    bytes(size: number): Buffer {
      const bytes = Buffer.allocUnsafe(size)
      for (let index = 0; index < size; index += 1) bytes[index] = below(256)
      return bytes
    },
  }
}
