import type { Carry } from '../carry.ts'
import type { Chance } from '../chance.ts'
import type { Time } from '../time.ts'

/** What stands in for clock, timers, randomness and connections of this process while a world is simulated. */
export type Surroundings = { time: Time; chance: Chance; chanceOfStores: Chance; carry: Carry }

let now: Surroundings | undefined

/** A process simulates one world at a time. */
export function enter(surroundings: Surroundings): void {
  now = surroundings
}

export function leave(): void {
  now = undefined
}

/** The world that is simulated; `undefined` before and after, when everything is as it is. */
export const surroundings = (): Surroundings | undefined => now
