import type { Arrangement } from './birth-reading.ts'
import { calendarOfYear } from './birth-reading.ts'
import type { NumberToken } from './birth-tokens.ts'
import type { Marker } from './birth-words.ts'

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
  if (full[0] === first) return [yearFirst(numbers)]
  if (full[0] === third) return yearLast(numbers, hint ?? calendarOfYear(third.value))
  if (first.value > LAST_DAY) return [yearFirst(numbers)]
  if (third.value > LAST_DAY) return yearLast(numbers, hint)
  return [yearFirst(numbers), ...yearLast(numbers, hint)]
}

/** How two numbers beside the name of a month may be meant. */
export function arrangeNamed(
  [first, second]: readonly [NumberToken, NumberToken],
  { calendar, month }: { calendar: 'jalali' | 'gregorian'; month: number },
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
  const unitOf = (token: NumberToken) => (isFullYear(token) ? 'year' : token.unit)
  const find = (unit: 'day' | 'month' | 'year') => numbers.filter((token) => unitOf(token) === unit)
  const found = { day: find('day'), month: find('month'), year: find('year') }
  if (Object.values(found).some((tokens) => tokens.length > 1)) return undefined
  if (!numbers.some(({ unit }) => unit) || numbers.some(({ unit }, at) => unit !== undefined && unit !== unitOf(numbers[at] as NumberToken))) return undefined
  const rest = numbers.filter((token) => unitOf(token) === undefined)
  if (rest.length > 1) return undefined
  const [year, month, day] = [found.year[0] ?? rest[0], found.month[0] ?? rest[0], found.day[0] ?? rest[0]]
  if (!year || !month || !day || (!isYear(year) && (isYear(month) || isYear(day)))) return undefined
  return { year, month: month.value, day: day.value }
}
