import type { ResultTo } from '../../src/domain/invitation.ts'
import { createChance } from './chance.ts'
import type { World } from './sizes.ts'

const FIRST_ORGANIZER = 4_001

/** The parties of a world besides people who answer alone. */
export type Guests = {
  /** The ids of the organizers. */
  organizers: readonly number[]
  /** Some people share a roadmap. */
  isShared: boolean
  /** Another client writes to the service. */
  isMeddled: boolean
  /** Events are posted to the organizer's own software. */
  isAnnounced: boolean
  /** The receivers of results. */
  resultTo: ResultTo
}

/** Draws from a separate source of randomness, so that worlds without guests stay the same. */
export function guestsOf(seed: number, { offices, families, meddled, isHasty }: World): Guests {
  const chance = createChance(-1 - seed)
  const ids = chance.is(0.4) ? [FIRST_ORGANIZER, FIRST_ORGANIZER + 1] : [FIRST_ORGANIZER]
  const [organizers, isShared] = [chance.is(offices) ? ids : [], chance.is(families)]
  const [isMeddled, isAnnounced] = [chance.is(meddled), chance.is(isHasty ? 0.8 : 0.7)]
  const isUsual = organizers.length === 0 || chance.is(0.6)
  const resultTo = isUsual ? 'participant' : chance.pick(['both', 'organizer'] as const)
  return { organizers, isShared, isMeddled, isAnnounced, resultTo }
}
