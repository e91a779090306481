import type { Place } from '../../test/places.ts'
import type { Chance } from './chance.ts'

/** The habits of a person: how often they do things that others do not. */
export type Profile = {
  doubleTaps: number
  goesBack: number
  changesMind: number
  /** Types the number of an option. */
  types: number
  mistypes: number
  wanders: number
  /** Switches between two tests. */
  alternates: number
  /** Reads the review page by page. */
  reads: number
  /** Taps buttons that a second phone still shows. */
  olderButtons: number
  forgets: number
  phones: number
  /** Presses a button and types the number of the same option at once. */
  isDouble?: number
  /** From this place of the dialog on, sends /forget in the middle of the next call. */
  forgetsAt?: Place
}

/** Random habits, of which each person has only some; `share` scales those at a question. */
export function profileOf(chance: Chance, share: number): Profile {
  const maybe = (part: number) => (chance.is(0.4) ? part : 0)
  const alternates = maybe(0.3)
  return {
    doubleTaps: share * maybe(0.2),
    goesBack: share * maybe(0.1),
    changesMind: maybe(0.5),
    // With two tests on the screen, a typed number could be for either.
    types: share * Math.max(alternates, maybe(0.3)),
    mistypes: maybe(0.4),
    wanders: share * maybe(0.05),
    alternates: share * alternates,
    reads: maybe(0.6),
    olderButtons: maybe(0.5),
    forgets: chance.is(0.3) ? share * 0.07 : 0,
    phones: chance.is(0.2) ? 2 : 1,
  }
}

const CAREFUL: Profile = {
  ...{ doubleTaps: 0, goesBack: 0, changesMind: 0, types: 0, mistypes: 0, wanders: 0 },
  ...{ alternates: 0, reads: 0, olderButtons: 0, forgets: 0, phones: 1 },
}
const FORGETS_AT = ['summary', 'review'] as const

/** Hasty people have a single habit, in the middle of the bot's work. */
export function hastyProfileOf(chance: Chance, tests: number): Profile {
  if (tests > 1) return { ...CAREFUL, alternates: 0.5, types: 0.5 }
  return chance.pick<Profile>([
    { ...CAREFUL, forgetsAt: chance.pick(FORGETS_AT) },
    { ...CAREFUL, isDouble: 0.4, goesBack: 0.3, changesMind: 0.5 },
    CAREFUL,
  ])
}
