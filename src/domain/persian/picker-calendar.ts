import { type Language, perLanguage } from '../../texts/languages.ts'
import { calendars } from './calendar.ts'

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
