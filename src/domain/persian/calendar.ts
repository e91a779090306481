import { isValidJalaaliDate, toGregorian, toJalaali } from 'jalaali-js'
import { LANGUAGES, type Language, perLanguage } from '../../texts/languages.ts'
import { DAY_MS, TEHRAN_MS } from '../durations.ts'
import { toPersianDigits } from './clean.ts'

export type Day = { year: number; month: number; day: number }

function fromIso(iso: string): Day {
  return { year: Number(iso.slice(0, 4)), month: Number(iso.slice(5, 7)), day: Number(iso.slice(8, 10)) }
}

/** A Gregorian day as the service gets it. */
function toIso({ year, month, day }: Day): string {
  return `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`
}

/** The Jalali day of an ISO date. */
export function toJalali(iso: string): Day {
  const { year, month, day } = fromIso(iso)
  const { jy, jm, jd } = toJalaali(year, month, day)
  return { year: jy, month: jm, day: jd }
}

/** The ISO date of a Jalali day, which has to exist (`isJalaliDay`). */
export function fromJalali(year: number, month: number, day: number): string {
  const { gy, gm, gd } = toGregorian(year, month, day)
  return toIso({ year: gy, month: gm, day: gd })
}

/** Whether the Persian calendar has this day, leap years counted. */
export function isJalaliDay(year: number, month: number, day: number): boolean {
  // The library takes 12.5 for a day.
  return [year, month, day].every(Number.isInteger) && isValidJalaaliDate(year, month, day)
}

/** Whether the Gregorian calendar has this day, leap years counted. */
export function isGregorianDay(year: number, month: number, day: number): boolean {
  if (![year, month, day].every(Number.isInteger) || month < 1 || month > 12 || day < 1) return false
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** A day of either calendar: whether it exists, its ISO date and the way back. */
export const calendars = {
  jalali: { has: isJalaliDay, iso: fromJalali, dayOf: toJalali },
  gregorian: {
    has: isGregorianDay,
    iso: (year: number, month: number, day: number) => toIso({ year, month, day }),
    dayOf: fromIso,
  },
} as const

/** The ISO date this many days later. */
export function addDays(iso: string, days: number): string {
  return new Date(Date.parse(iso) + days * DAY_MS).toISOString().slice(0, 10)
}

const longDate = perLanguage(
  ({ locale }) =>
    new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' }),
)

/** A date in the reader's own calendar, and in the other one to compare with a document. */
export function formatBirth(iso: string, language: Language): { own: string; other: string } {
  const own = longDate(language).format(Date.parse(iso))
  const isJalali = LANGUAGES[language].calendar === 'jalali'
  return { own, other: isJalali ? toPersianDigits(slashed(fromIso(iso))) : slashed(toJalali(iso)) }
}

const slashed = ({ year, month, day }: Day): string => `${year}/${twoDigits(month)}/${twoDigits(day)}`
const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** The ISO date of a moment in Tehran, whatever the server's time zone is. */
export const tehranToday = (nowMs: number): string => new Date(nowMs + TEHRAN_MS).toISOString().slice(0, 10)

export type PickerCalendar = keyof typeof calendars

/** The ISO date on which a month begins; month 13 is the first of the next year. */
export function firstOf(calendar: PickerCalendar, year: number, month: number): string {
  if (month > 12) return firstOf(calendar, year + 1, month - 12)
  return calendars[calendar].iso(year, month, 1)
}

/** A number in the reader's digits, without grouping. */
export function numberIn(language: Language, value: number): string {
  return numberFormat(language).format(value)
}

const numberFormat = perLanguage(({ locale }) => new Intl.NumberFormat(locale, { useGrouping: false }))

/** The name of a month of either calendar, in the reader's language. */
export function monthName(language: Language, calendar: PickerCalendar, month: number): string {
  const anyYear = calendar === 'jalali' ? 1400 : 2000
  return monthFormats(language)[calendar].format(Date.parse(firstOf(calendar, anyYear, month)))
}

const monthFormats = perLanguage(({ locale }) => {
  const named = (calendar: string) =>
    new Intl.DateTimeFormat(locale, { calendar, month: 'long', timeZone: 'UTC' })
  return { jalali: named('persian'), gregorian: named('gregory') }
})
