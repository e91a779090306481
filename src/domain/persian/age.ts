import { addDays, calendars } from './calendar.ts'

const { gregorian } = calendars

/** The age in completed Gregorian years, as a service that holds the ISO date computes it. */
export function ageOn(iso: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(iso.slice(0, 4))
  return today.slice(5) < iso.slice(5) ? years - 1 : years
}

/** Inclusive, in ISO dates; empty when `first` is after `last`. */
export type BirthRange = { first: string; last: string }

/** The birth dates whose age today lies between two ages, each inclusive; `null` is no limit (0, 120). */
export function birthRange(minAge: number | null, maxAge: number | null, today: string): BirthRange {
  return { first: addDays(latestBirth((maxAge ?? 120) + 1, today), 1), last: latestBirth(minAge ?? 0, today) }
}

/** The latest birth date of a person of this age today; for 29 February in a common year, the 28th. */
function latestBirth(age: number, today: string): string {
  const { year, month, day } = gregorian.dayOf(today)
  const exists = gregorian.has(year - age, month, day)
  return gregorian.iso(year - age, month, exists ? day : day - 1)
}
