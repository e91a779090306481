import { jalaaliMonthLength } from 'jalaali-js'
import { type Language, perLanguage } from '../../texts/languages.ts'
import { fromIso, fromJalali, toIso, toJalali } from './calendar.ts'

export type PickerCalendar = 'jalali' | 'gregorian'

/** The year an ISO date lies in. */
export function yearOf(calendar: PickerCalendar, iso: string): number {
  return calendar === 'jalali' ? toJalali(iso).year : fromIso(iso).year
}

/** The ISO date on which a month begins; month 13 is the first of the next year. */
export function firstOf(calendar: PickerCalendar, year: number, month: number): string {
  if (month > 12) return firstOf(calendar, year + 1, month - 12)
  return calendar === 'jalali' ? fromJalali(year, month, 1) : toIso({ year, month, day: 1 })
}

/** The number of days in a month. */
export function lengthOf(calendar: PickerCalendar, year: number, month: number): number {
  return calendar === 'jalali'
    ? jalaaliMonthLength(year, month)
    : new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** A number in the reader's digits, without grouping. */
export function numberIn(language: Language, value: number): string {
  return numberFormat(language).format(value)
}

const numberFormat = perLanguage(({ locale }) => new Intl.NumberFormat(locale, { useGrouping: false }))

/** The name of a month of either calendar, in the reader's language. */
export function monthName(language: Language, calendar: PickerCalendar, month: number): string {
  return months(language)[calendar][month - 1] ?? ''
}

const months = perLanguage(({ locale }) => ({
  jalali: namesOf(locale, 'jalali'),
  gregorian: namesOf(locale, 'gregorian'),
}))

function namesOf(locale: string, calendar: PickerCalendar): string[] {
  const format = new Intl.DateTimeFormat(locale, {
    calendar: calendar === 'jalali' ? 'persian' : 'gregory',
    month: 'long',
    timeZone: 'UTC',
  })
  const year = calendar === 'jalali' ? 1400 : 2000
  return Array.from({ length: 12 }, (_, index) =>
    format.format(Date.parse(firstOf(calendar, year, index + 1))),
  )
}
