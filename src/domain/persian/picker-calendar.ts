import { jalaaliMonthLength } from 'jalaali-js'
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

const locales = { fa: 'fa-IR-u-nu-arabext', en: 'en-GB-u-nu-latn' } as const

/** A number in the reader's digits, without grouping. */
export function numberIn(language: 'fa' | 'en', value: number): string {
  return value.toLocaleString(locales[language], { useGrouping: false })
}

/** The name of a month of either calendar, in the reader's language. */
export function monthName(language: 'fa' | 'en', calendar: PickerCalendar, month: number): string {
  return months[language][calendar][month - 1] ?? ''
}

const months = {
  fa: { jalali: namesOf('fa', 'jalali'), gregorian: namesOf('fa', 'gregorian') },
  en: { jalali: namesOf('en', 'jalali'), gregorian: namesOf('en', 'gregorian') },
}

function namesOf(language: 'fa' | 'en', calendar: PickerCalendar): string[] {
  const format = new Intl.DateTimeFormat(locales[language], {
    calendar: calendar === 'jalali' ? 'persian' : 'gregory',
    month: 'long',
    timeZone: 'UTC',
  })
  const year = calendar === 'jalali' ? 1400 : 2000
  return Array.from({ length: 12 }, (_, index) =>
    format.format(Date.parse(firstOf(calendar, year, index + 1))),
  )
}
