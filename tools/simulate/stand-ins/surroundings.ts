import type { Carry } from '../carry.ts'
import type { Chance } from '../chance.ts'
import type { Time } from '../time.ts'

/** The clock, timers, randomness and connections of this process while a world is simulated. */
export type Surroundings = { time: Time; chance: Chance; chanceOfStores: Chance; carry: Carry }

let now: Surroundings | undefined

/** A process simulates one world at a time. */
export function enter(surroundings: Surroundings): void {
  now = surroundings
}

export function leave(): void {
  now = undefined
}

/** The simulated world; `undefined` before and after, when everything is real. */
export const surroundings = (): Surroundings | undefined => now
