import { ageOn } from './age.ts'
import type { NumberToken } from './birth-tokens.ts'
import type { Marker } from './birth-words.ts'
import { calendars } from './calendar.ts'

export type BirthError =
  | 'empty'
  | 'unreadable'
  | 'incomplete'
  | 'age_only'
  | 'invalid_month'
  | 'invalid_day'
  | 'year_out_of_range'
  | 'future'
  | 'too_old'
  | 'ambiguous'
  | 'calendar_mismatch'
  | 'lunar'
  | 'looks_like_mobile'
  | 'looks_like_national_id'

/** `imperial` is the solar year counted from Cyrus, on birth certificates of 1976–78. */
type BirthCalendar = 'jalali' | 'gregorian' | 'imperial'

/** A guess that the participant has to see before it is taken. */
export type BirthAssumption = 'century' | 'order' | 'imperial' | 'month'

export type Limits = { today: string; maxAge: number }

/** One way to understand the parts of a date. `order`: day and month could also be the other way round. */
export type Arrangement = { year: NumberToken; month: number; day: number; order?: boolean }

export type Reading = { iso: string; calendar: BirthCalendar; assumed: BirthAssumption[] }

/** Checks one arrangement against its calendar, today and the oldest age. */
export function read(
  { year: typed, month, day, order }: Arrangement,
  hint: Marker | undefined,
  { today, maxAge }: Limits,
): Reading | BirthError {
  const understood = readYear(typed, hint, today)
  if (typeof understood === 'string') return understood
  const { calendar, year, isGuess } = understood
  if (month < 1 || month > 12) return 'invalid_month'
  const { has, iso: isoOf } = calendars[calendar === 'gregorian' ? 'gregorian' : 'jalali']
  if (!has(year, month, day)) return 'invalid_day'
  const iso = isoOf(year, month, day)
  if (iso > today) return 'future'
  if (ageOn(iso, today) > maxAge) return 'too_old'
  const assumed: BirthAssumption[] = []
  if (isGuess) assumed.push('century')
  if (order) assumed.push('order')
  if (calendar === 'imperial') assumed.push('imperial')
  return { iso, calendar, assumed }
}

/** The calendar that a full year belongs to, with a margin beyond living people; `undefined` for none. */
export function calendarOfYear(year: number): BirthCalendar | undefined {
  if (year >= 1200 && year <= 1499) return 'jalali'
  if (year >= 1800 && year <= 2100) return 'gregorian'
  return year >= 2481 && year <= 2537 ? 'imperial' : undefined
}

const IMPERIAL_OFFSET = 1180

type Year = { calendar: BirthCalendar; year: number; isGuess?: true }

function readYear(
  { digits, value }: NumberToken,
  hint: Marker | undefined,
  today: string,
): Year | BirthError {
  if (digits.length <= 2 && hint !== 'imperial') return readShortYear(value, hint, today)
  const calendar = digits.length === 4 ? calendarOfYear(value) : undefined
  if (!calendar) return 'year_out_of_range'
  const isSolar = calendar === 'imperial' && hint === 'jalali'
  if (hint && hint !== calendar && !isSolar) return 'calendar_mismatch'
  return { calendar, year: calendar === 'imperial' ? value - IMPERIAL_OFFSET : value }
}

/** Two digits are Jalali unless a hint says otherwise. Up to this year's number they are of this century. */
function readShortYear(value: number, hint: Marker | undefined, today: string): Year {
  const calendar = hint === 'gregorian' ? 'gregorian' : 'jalali'
  const current = calendars[calendar].dayOf(today).year
  const century = current - (current % 100)
  return { calendar, year: (value <= current % 100 ? century : century - 100) + value, isGuess: true }
}
