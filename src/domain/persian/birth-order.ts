import { type Arrangement, type BirthError, calendarOfYear } from './birth-reading.ts'
import { type NumberToken, numberToken } from './birth-tokens.ts'
import type { Marker } from './birth-words.ts'
import type { NamedMonth } from './months.ts'

/** Highest number that can be a day; anything above is a year. */
const LAST_DAY = 31

type Triple = readonly [NumberToken, NumberToken, NumberToken]

/** How three numbers may be meant: the arrangements to try, or `undefined` where the year stands in the middle or twice. */
export function arrange(numbers: Triple, hint: Marker | undefined): Arrangement[] | undefined {
  const labelled = byLabels(numbers)
  if (labelled) return [labelled]
  const [first, second, third] = numbers
  const full = numbers.filter(isFullYear)
  if (full.length > 1 || full[0] === second) return undefined
  if (full[0] === third) return yearLast(numbers, hint ?? calendarOfYear(third.value))
  if (isYear(first)) return [yearFirst(numbers)]
  if (third.value > LAST_DAY) return yearLast(numbers, hint)
  return [yearFirst(numbers), ...yearLast(numbers, hint)]
}

/** How two numbers beside the name of a month may be meant. */
export function arrangeNamed(
  [first, second]: readonly [NumberToken, NumberToken],
  { calendar, month }: NamedMonth,
): Arrangement[] | undefined {
  const dayFirst = { year: second, month, day: first.value }
  const yearFirst = { year: first, month, day: second.value }
  if (isFullYear(first) && isFullYear(second)) return undefined
  if (isYear(second) || first.ordinal || second.unit === 'year' || first.unit === 'day') return [dayFirst]
  if (isYear(first) || second.ordinal || first.unit === 'year' || second.unit === 'day') return [yearFirst]
  if (first.value === 0) return [yearFirst]
  // Persian always says the day before a short year; «3 Aug 10» may be written by either habit
  return calendar === 'jalali' || first.value === second.value ? [dayFirst] : [dayFirst, yearFirst]
}

/** Cuts a date written without separators: `13750512` or `12051375`, `750512` or `120575`. */
export function compactParts({ digits }: NumberToken): Triple | BirthError {
  if (digits.length <= 4) return 'incomplete'
  const knownYear = calendarOfYear(Number(digits.slice(0, 4))) !== undefined
  if (digits.length === 6) {
    const month = Number(digits.slice(2, 4))
    return knownYear && month > 12 ? 'ambiguous' : split(digits, 2, 4) // 137512 may be 1375/1/2 or half a date
  }
  if (digits.length !== 8) return 'unreadable'
  const yearFirst = knownYear && Number(digits.slice(4, 6)) <= 12
  if (!yearFirst && calendarOfYear(Number(digits.slice(4)))) return split(digits, 2, 4)
  return knownYear ? split(digits, 4, 6) : 'year_out_of_range'
}

function split(digits: string, second: number, third: number): Triple {
  const part = (from: number, to?: number) => numberToken(digits.slice(from, to))
  return [part(0, second), part(second, third), part(third)]
}

/** Whether a number has too many digits for a day: it can only be a year. */
export function isFullYear({ digits }: NumberToken): boolean {
  return digits.length > 2
}

const isYear = (token: NumberToken): boolean => isFullYear(token) || token.value > LAST_DAY

const yearFirst = ([year, month, day]: Triple): Arrangement => ({ year, month: month.value, day: day.value })

/** Day and month before the year; a Jalali date is never written month first. */
function yearLast([first, second, year]: Triple, calendar: string | undefined): Arrangement[] {
  const [a, b] = [first.value, second.value]
  const either = a !== b && a <= 12 && b <= 12
  const dayFirst: Arrangement = { year, day: a, month: b, order: either }
  if (calendar !== 'gregorian' || a === b) return [dayFirst]
  return [dayFirst, { year, day: b, month: a, order: true }]
}

/** «روز ۱۲ ماه ۵ سال ۱۳۷۵»: two labels, or one and a full year, settle all three. */
function byLabels(numbers: Triple): Arrangement | undefined {
  if (!numbers.some(({ unit }) => unit)) return undefined
  const units = numbers.map((token) => token.unit ?? (isFullYear(token) ? 'year' : undefined))
  const rest = (['year', 'month', 'day'] as const).filter((unit) => !units.includes(unit))
  if (rest.length > 1 || new Set(units).size < 3) return undefined
  const of = (unit: 'year' | 'month' | 'day') =>
    numbers[units.indexOf(rest.includes(unit) ? undefined : unit)]
  const [year, month, day] = [of('year'), of('month'), of('day')]
  if (!year || !month || !day || isFullYear(month) || isFullYear(day)) return undefined
  return { year, month: month.value, day: day.value }
}
