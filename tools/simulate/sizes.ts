import type { Chance } from './chance.ts'
import type { Limits } from './settings.ts'

/** A kind of world, named by what it has most of. */
export type Size = 'small' | 'usual' | 'long' | 'storm' | 'office' | 'hasty'

export type World = {
  /** The number of people. */
  crowd: readonly [number, number]
  /** After this time nothing fails. */
  roughMs: number
  /** The probability that a request kills its replica, and the time until its next life. */
  crash: number
  deadMs: readonly [number, number]
  /** The lengths of tests. If absent, tests are short, and some people have a roadmap too. */
  lengths?: readonly number[]
  /** The time between two looks at the phone. */
  lookMs: readonly [number, number]
  /** The share of worlds in which some people share a roadmap, and in which organizers are at work. */
  families: number
  offices: number
  /** The share of worlds in which another client writes to the service. */
  meddled: number
  /** The share of tasks that wait for the organizer at first. */
  waits: number
  /** The factor for people's habits at a question. */
  profile: number
  /** People and organizers act in the middle of the bot's work, and some worlds have a small budget. */
  isHasty?: boolean
}

const USUAL = {
  crash: 0.004,
  deadMs: [50, 3_000],
  lookMs: [60, 960],
  profile: 1,
  families: 0.25,
  offices: 0.45,
  meddled: 0.25,
  waits: 0.25,
} as const

/** The lengths of long tests, for many answers. */
export const LONG = [180, 240, 370, 567] as const

export const worlds: Readonly<Record<Size, World>> = {
  small: { ...USUAL, crowd: [1, 2], roughMs: 60_000, families: 0.15, offices: 0.15, meddled: 0.15 },
  usual: { ...USUAL, crowd: [2, 6], roughMs: 90_000 },
  long: {
    ...USUAL,
    ...{ crowd: [6, 10], roughMs: 240_000, lengths: LONG, lookMs: [60, 300], profile: 0.1 },
    ...{ families: 0, offices: 0, meddled: 0.1 },
  },
  office: { ...USUAL, crowd: [1, 3], roughMs: 60_000, offices: 1 },
  hasty: {
    ...USUAL,
    ...{ crowd: [2, 3], roughMs: 100_000, isHasty: true },
    ...{ offices: 1, families: 0.1, meddled: 0.1 },
  },
  storm: {
    ...USUAL,
    ...{ crowd: [2, 4], roughMs: 120_000, crash: 0.03, deadMs: [10, 400] },
    ...{ families: 0.05, offices: 0.05, meddled: 0.05 },
  },
}

/** A world of one kind, or of the kind that its seed selects. */
export type Mixed = Size | 'mixed'
/** The kinds of twenty consecutive seeds; quick worlds come first. */
const ROUND: readonly { size: Size; worlds: number }[] = [
  { size: 'small', worlds: 5 },
  { size: 'usual', worlds: 5 },
  { size: 'office', worlds: 2 },
  { size: 'hasty', worlds: 5 },
  { size: 'storm', worlds: 2 },
  { size: 'long', worlds: 1 },
]
const round = ROUND.flatMap(({ size, worlds }) => Array.from({ length: worlds }, () => size))

export const isSize = (text: string): text is Mixed => text in worlds || text === 'mixed'
export const sizeOf = (seed: number, size: Mixed): Size =>
  size === 'mixed' ? (round[seed % round.length] ?? 'usual') : size

/** The rate limits of the key: in some worlds, above all hasty ones, so low that calls have to wait. */
export function limitsOf(chance: Chance, { isHasty }: World): Limits {
  return chance.is(isHasty ? 0.5 : 0.2) ? { perMinute: 20, perHour: 600 } : { perMinute: 100, perHour: 3_000 }
}
