import { ageOn } from './age.ts'
import type { NumberToken } from './birth-tokens.ts'
import type { Marker } from './birth-words.ts'
import { calendars, toJalali } from './calendar.ts'

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
export type BirthCalendar = 'jalali' | 'gregorian' | 'imperial'

/** What was guessed and has to be shown before it is taken. */
export type BirthAssumption = 'century' | 'order' | 'imperial' | 'month'

export type Limits = { today: string; maxAge: number }

/** One way to understand the parts of a date. `order` is set where day and month could also be the other way round. */
export type Arrangement = { year: NumberToken; month: number; day: number; order?: boolean }

export type Reading = { iso: string; calendar: BirthCalendar; assumed: BirthAssumption[] }
export type Result<T> = { ok: true; value: T } | { ok: false; error: BirthError }

type Year = { calendar: BirthCalendar; year: number; century: boolean }

/** Checks one arrangement against its calendar, today and the oldest age. */
export function read(parts: Arrangement, hint: Marker | undefined, limits: Limits): Result<Reading> {
  const understood = readYear(parts.year, hint, limits.today)
  if (!understood.ok) return understood
  const { calendar, year, century } = understood.value
  const { month, day } = parts
  if (month < 1 || month > 12) return { ok: false, error: 'invalid_month' }
  const { has, iso: isoOf } = calendars[calendar === 'gregorian' ? 'gregorian' : 'jalali']
  if (!has(year, month, day)) return { ok: false, error: 'invalid_day' }
  const iso = isoOf(year, month, day)
  if (iso > limits.today) return { ok: false, error: 'future' }
  if (ageOn(iso, limits.today) > limits.maxAge) return { ok: false, error: 'too_old' }
  const assumed: BirthAssumption[] = [
    ...(century ? ['century' as const] : []),
    ...(parts.order ? ['order' as const] : []),
    ...(calendar === 'imperial' ? ['imperial' as const] : []),
  ]
  return { ok: true, value: { iso, calendar, assumed } }
}

/** The calendar a full year tells by itself, a little wider than any living person needs; `undefined` for no calendar. */
export function calendarOfYear(year: number): BirthCalendar | undefined {
  if (year >= 1200 && year <= 1499) return 'jalali'
  if (year >= 1800 && year <= 2100) return 'gregorian'
  if (year >= 2481 && year <= 2537) return 'imperial'
  return undefined
}

/** Imperial years, on birth certificates of 1976–78, count from Cyrus. */
const IMPERIAL_OFFSET = 1180

function readYear({ digits, value }: NumberToken, hint: Marker | undefined, today: string): Result<Year> {
  if (digits.length <= 2 && hint !== 'imperial') return { ok: true, value: readShortYear(value, hint, today) }
  const calendar = digits.length === 4 ? calendarOfYear(value) : undefined
  if (!calendar) return { ok: false, error: 'year_out_of_range' }
  const solar = calendar === 'imperial' && hint === 'jalali'
  if (hint && hint !== calendar && !solar) return { ok: false, error: 'calendar_mismatch' }
  const year = calendar === 'imperial' ? value - IMPERIAL_OFFSET : value
  return { ok: true, value: { calendar, year, century: false } }
}

/** Two digits are Jalali unless something says otherwise; not above this year's, they are of this century. */
function readShortYear(value: number, hint: Marker | undefined, today: string): Year {
  const calendar = hint === 'gregorian' ? 'gregorian' : 'jalali'
  const current = calendar === 'gregorian' ? Number(today.slice(0, 4)) : toJalali(today).year
  const century = current - (current % 100)
  return { calendar, year: (value <= current % 100 ? century : century - 100) + value, century: true }
}
