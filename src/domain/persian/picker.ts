import { isRightToLeft, LANGUAGES, type Language } from '../../texts/languages.ts'
import type { BirthRange } from './age.ts'
import { calendars, firstOf, monthName, numberIn, type PickerCalendar } from './calendar.ts'

/** The picker's view or result. Its whole state is in the callback data, so a restart loses nothing. */
export type PickerStep =
  | { kind: 'decades' }
  | { kind: 'years'; calendar: PickerCalendar; decade: number }
  | { kind: 'months'; calendar: PickerCalendar; year: number }
  | { kind: 'days'; calendar: PickerCalendar; year: number; month: number }

type PickedDate = { kind: 'date'; iso: string }

type PickerCell = { text: string; data: string }

const LONGEST_MONTH = 31
const OPEN = 'birth:open'
/** The data of a cell that does nothing. */
export const PICKER_NOTHING = 'birth:nop'
/** A cell without a meaning: Telegram refuses a button without visible text. */
const EMPTY: PickerCell = { text: '·', data: PICKER_NOTHING }

const codes = { jalali: 'j', gregorian: 'g' } as const satisfies Record<PickerCalendar, string>

/** Reads the data of a picker's button; `undefined` for other data, and for a day that does not exist. */
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

/** Forged data may name any year. A birth date can only lie in these years. */
function offers(calendar: PickerCalendar, year: number): boolean {
  return calendar === 'jalali' ? year >= 1200 && year < 1600 : year >= 1800 && year < 2200
}

function dateOf(calendar: PickerCalendar, year: number, month: number, day: number): PickedDate | undefined {
  const { has, iso } = calendars[calendar]
  return has(year, month, day) ? { kind: 'date', iso: iso(year, month, day) } : undefined
}

/**
 * Lays out one step: decade → year → month → day, only what the range admits, in rows of buttons in display order.
 * The language chooses the calendar at the first step; afterwards the data says which it is.
 */
export function pickerView(
  step: PickerStep,
  range: BirthRange,
  language: Language,
  { back }: { back: string },
) {
  const calendar = step.kind === 'decades' ? LANGUAGES[language].calendar : step.calendar
  const { cells, perRow, backTo } = laidOut(step, calendar, range, language)
  /** The parts that were picked so far, for a title. */
  const chosen = {
    ...(step.kind === 'years' && { decade: decadeText(step.decade, language) }),
    ...('year' in step && { year: numberIn(language, step.year) }),
    ...(step.kind === 'days' && { month: monthName(language, calendar, step.month) }),
  }
  const rows = inRows(cells, perRow, language)
  return { kind: step.kind, chosen, rows: backTo ? [...rows, [{ text: back, data: backTo }]] : rows }
}

/** The cells of a step in reading order, and the way back. */
function laidOut(
  step: PickerStep,
  calendar: PickerCalendar,
  range: BirthRange,
  language: Language,
): { cells: PickerCell[]; perRow: number; backTo?: string } {
  const prefix = `birth:${codes[calendar]}`
  const first = (year: number, month = 1) => firstOf(calendar, year, month)
  const admits = (from: string, next: string) => from <= range.last && next > range.first
  const number = (value: number) => numberIn(language, value)
  const offer = (
    values: number[],
    isAdmitted: (value: number) => boolean,
    text: (value: number) => string,
    before = prefix,
  ) => values.filter(isAdmitted).map((value) => ({ text: text(value), data: `${before}:${value}` }))

  switch (step.kind) {
    case 'decades': {
      const [from = 0, to = 0] = [range.first, range.last].map((iso) => calendars[calendar].dayOf(iso).year)
      const cells = offer(
        sequence(Math.floor(from / 10), Math.floor(to / 10)),
        (decade) => admits(first(decade * 10), first(decade * 10 + 10)),
        (decade) => decadeText(decade * 10, language),
      )
      return { cells, perRow: 2 }
    }
    case 'years': {
      const years = sequence(step.decade, step.decade + 9)
      const cells = offer(years, (year) => admits(first(year), first(year + 1)), number)
      return { cells, perRow: 5, backTo: OPEN }
    }
    case 'months': {
      const { year } = step
      const cells = offer(
        sequence(1, 12),
        (month) => admits(first(year, month), first(year, month + 1)),
        (month) => monthName(language, calendar, month),
        `${prefix}:${year}`,
      )
      return { cells, perRow: 3, backTo: `${prefix}:${Math.floor(year / 10)}` }
    }
    case 'days': {
      const { year, month } = step
      const isAdmitted = (day: number) => {
        const date = dateOf(calendar, year, month, day)
        return date !== undefined && date.iso >= range.first && date.iso <= range.last
      }
      const cells = offer(sequence(1, LONGEST_MONTH), isAdmitted, number, `${prefix}:${year}:${month}`)
      return { cells, perRow: 8, backTo: `${prefix}:${year}` }
    }
  }
}

/** «۱۳۷۰–۱۳۷۹»; the mark in front keeps the earlier year on the right, where Persian begins to read. */
function decadeText(decade: number, language: Language): string {
  return `${isRightToLeft(language) ? '\u200f' : ''}${numberIn(language, decade)}–${numberIn(language, decade + 9)}`
}

/** Rows of one width, so that columns stay aligned. Telegram lays rows out left to right in any language. */
function inRows(cells: readonly PickerCell[], perRow: number, language: Language): PickerCell[][] {
  const count = Math.ceil(cells.length / perRow)
  const rows = sequence(0, count - 1).map((row) => cells.slice(row * perRow, (row + 1) * perRow))
  const last = rows.at(-1)
  if (last && rows.length > 1) last.push(...Array<PickerCell>(perRow - last.length).fill(EMPTY))
  return isRightToLeft(language) ? rows.map((row) => row.reverse()) : rows
}

const sequence = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
