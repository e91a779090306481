import type { Chance } from './chance.ts'
import type { Limits } from './settings.ts'

/** A kind of world: what there is most of in it. */
export type Size = 'small' | 'usual' | 'long' | 'storm' | 'office' | 'hasty'

export type World = {
  /** So many people. */
  crowd: readonly [number, number]
  /** From then on nothing fails any more. */
  roughMs: number
  /** In so many of all questions of a replica it is killed; the next life begins so long afterwards. */
  crash: number
  deadMs: readonly [number, number]
  /** What the tests of people have; elsewhere they are short, and some people have a roadmap too. */
  lengths?: readonly number[]
  /** How often people look at their phone. */
  lookMs: readonly [number, number]
  /** In so many of all worlds some people share a roadmap, or organizers are at work. */
  families: number
  offices: number
  /** In so many somebody else works at the service. */
  meddled: number
  /** So much of what people are sent waits for the organizer at first. */
  waits: number
  /** How much of their profiles people show at a question. */
  profile: number
  /** People and organizers act in the middle of what the bot does, and in some worlds there is little budget for it. */
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

/** For many answers. */
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

/** A world of one kind, or of the kind that its seed names. */
export type Mixed = Size | 'mixed'
/** Of twenty seeds that follow each other: those that are quick come first. */
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

/** What the key may spend: in some worlds so little that calls wait for it, most often in those of haste. */
export function limitsOf(chance: Chance, { isHasty }: World): Limits {
  return chance.is(isHasty ? 0.5 : 0.2) ? { perMinute: 20, perHour: 600 } : { perMinute: 100, perHour: 3_000 }
}
