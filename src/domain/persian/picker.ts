import { isRightToLeft, LANGUAGES, type Language } from '../../texts/languages.ts'
import { type BirthRange, calendars, firstOf, monthName, numberIn, type PickerCalendar } from './calendar.ts'

/** What the picker shows or has found; all of its state travels in the callback data, so a restart loses nothing. */
export type PickerStep =
  | { kind: 'decades' }
  | { kind: 'years'; calendar: PickerCalendar; decade: number }
  | { kind: 'months'; calendar: PickerCalendar; year: number }
  | { kind: 'days'; calendar: PickerCalendar; year: number; month: number }

type PickedDate = { kind: 'date'; iso: string }

type PickerCell = { text: string; data: string }

/** A step as rows of buttons, already in display order; `chosen` is what was picked so far, for a title. */
type PickerView = {
  kind: PickerStep['kind']
  chosen: { decade?: string; year?: string; month?: string }
  rows: PickerCell[][]
}

const LONGEST_MONTH = 31
const OPEN = 'birth:open'
/** The data of a cell that does nothing. */
export const PICKER_NOTHING = 'birth:nop'
/** A cell without a meaning: Telegram refuses a button without visible text. */
const EMPTY: PickerCell = { text: '·', data: PICKER_NOTHING }

const codes = { jalali: 'j', gregorian: 'g' } as const satisfies Record<PickerCalendar, string>

/** Reads the data of a picker's button; `undefined` where it is none, or its day does not exist. */
export function parsePicker(data: string): PickerStep | PickedDate | undefined {
  if (data === OPEN) return { kind: 'decades' }
  const [, code, list = ''] = /^birth:([jg]):(\d{3,4}(?::\d{1,2}){0,2})$/.exec(data) ?? []
  if (code === undefined) return undefined
  const calendar = code === 'j' ? 'jalali' : 'gregorian'
  const [year = 0, month, day] = list.split(':').map(Number)
  if (list.length === 3)
    return offers(calendar, year * 10) ? { kind: 'years', calendar, decade: year * 10 } : undefined
  if (!offers(calendar, year)) return undefined
  if (month === undefined) return { kind: 'months', calendar, year }
  if (month < 1 || month > 12) return undefined
  if (day === undefined) return { kind: 'days', calendar, year, month }
  return dateOf(calendar, year, month, day)
}

/** Forged data may name any year; these are the ones a birth date can lie in. */
function offers(calendar: PickerCalendar, year: number): boolean {
  return calendar === 'jalali' ? year >= 1200 && year < 1600 : year >= 1800 && year < 2200
}

function dateOf(calendar: PickerCalendar, year: number, month: number, day: number): PickedDate | undefined {
  const { has, iso } = calendars[calendar]
  return has(year, month, day) ? { kind: 'date', iso: iso(year, month, day) } : undefined
}

/**
 * Lays out one step: decade → year → month → day, only what the range admits.
 * The language chooses the calendar at the first step; afterwards the data says which it is.
 */
export function pickerView(
  step: PickerStep,
  range: BirthRange,
  language: Language,
  { back }: { back: string },
): PickerView {
  const calendar = step.kind === 'decades' ? LANGUAGES[language].calendar : step.calendar
  const number = (value: number) => numberIn(language, value)
  const month = (value: number) => monthName(language, calendar, value)
  const { cells, perRow, backTo } = laidOut(step, { calendar, range, language, number, month })
  const chosen = {
    ...(step.kind === 'years' && { decade: decadeText(step.decade, language) }),
    ...('year' in step && { year: number(step.year) }),
    ...(step.kind === 'days' && { month: month(step.month) }),
  }
  const rows = inRows(cells, perRow, language)
  return { kind: step.kind, chosen, rows: backTo ? [...rows, [{ text: back, data: backTo }]] : rows }
}

type Wording = {
  calendar: PickerCalendar
  range: BirthRange
  language: Language
  number: (value: number) => string
  month: (value: number) => string
}

/** The cells of a step in reading order, and the way back. */
function laidOut(
  step: PickerStep,
  { calendar, range, language, number, month }: Wording,
): { cells: PickerCell[]; perRow: number; backTo?: string } {
  const prefix = `birth:${codes[calendar]}`
  const admits = (first: string, next: string) => first <= range.last && next > range.first
  const years = (from: number, to: number) => admits(firstOf(calendar, from, 1), firstOf(calendar, to + 1, 1))

  switch (step.kind) {
    case 'decades': {
      const [first, last] = [range.first, range.last].map((iso) => calendars[calendar].dayOf(iso).year)
      const cells = sequence(decadeOf(first ?? 0), decadeOf(last ?? 0), 10)
        .filter((decade) => years(decade, decade + 9))
        .map((decade) => ({ text: decadeText(decade, language), data: `${prefix}:${decade / 10}` }))
      return { cells, perRow: 2 }
    }
    case 'years': {
      const cells = sequence(step.decade, step.decade + 9)
        .filter((year) => years(year, year))
        .map((year) => ({ text: number(year), data: `${prefix}:${year}` }))
      return { cells, perRow: 5, backTo: OPEN }
    }
    case 'months': {
      const { year } = step
      const cells = sequence(1, 12)
        .filter((at) => admits(firstOf(calendar, year, at), firstOf(calendar, year, at + 1)))
        .map((at) => ({ text: month(at), data: `${prefix}:${year}:${at}` }))
      return { cells, perRow: 3, backTo: `${prefix}:${decadeOf(year) / 10}` }
    }
    case 'days': {
      const cells = sequence(1, LONGEST_MONTH)
        .filter((day) => {
          const date = dateOf(calendar, step.year, step.month, day)
          return date !== undefined && date.iso >= range.first && date.iso <= range.last
        })
        .map((day) => ({ text: number(day), data: `${prefix}:${step.year}:${step.month}:${day}` }))
      return { cells, perRow: 8, backTo: `${prefix}:${step.year}` }
    }
  }
}

/** «۱۳۷۰–۱۳۷۹»; the mark in front keeps the earlier year on the right, where Persian begins to read. */
function decadeText(decade: number, language: Language): string {
  return `${isRightToLeft(language) ? '\u200f' : ''}${numberIn(language, decade)}–${numberIn(language, decade + 9)}`
}

/** Rows of one width, so that columns stay in line; Telegram lays rows out left to right in every language. */
function inRows(cells: readonly PickerCell[], perRow: number, language: Language): PickerCell[][] {
  const rows = sequence(0, cells.length - 1, perRow).map((at) => cells.slice(at, at + perRow))
  const last = rows.at(-1)
  if (last && rows.length > 1) last.push(...Array<PickerCell>(perRow - last.length).fill(EMPTY))
  return isRightToLeft(language) ? rows.map((row) => row.reverse()) : rows
}

const decadeOf = (year: number): number => year - (year % 10)

function sequence(from: number, to: number, step = 1): number[] {
  return Array.from(
    { length: Math.max(0, Math.floor((to - from) / step) + 1) },
    (_, index) => from + index * step,
  )
}
