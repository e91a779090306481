import {
  type Arrangement,
  type BirthError,
  calendarOfYear,
  type Limits,
  type Reading,
  read,
} from './birth-reading.ts'
import { type NumberToken, numberToken, type Token, tokenize } from './birth-tokens.ts'
import type { Marker } from './birth-words.ts'
import { clean, foldWords, ZWNJ } from './clean.ts'
import { parseMobile } from './mobile.ts'
import type { NamedMonth } from './months.ts'

type ParsedBirth = ({ ok: true } & Reading) | { ok: false; error: BirthError; candidates?: string[] }

/** Longer texts are no birth date. The limit keeps hostile input cheap. */
const LONGEST = 200

/**
 * Reads a birth date typed in any usual way: Jalali, Gregorian or imperial, in digits, names or words.
 * `today` is the ISO date in Tehran. Where two readings are equally good, `candidates` holds both as ISO dates.
 */
export function parseBirth(
  text: string,
  { today, maxAge = 120 }: { today: string; maxAge?: number },
): ParsedBirth {
  const cleaned = clean(text)
  if (cleaned.replaceAll(ZWNJ, '').trim() === '') return refuse('empty')
  if (cleaned.length > LONGEST) return refuse('unreadable')
  const folded = foldWords(cleaned)
  const other = otherNumber(folded)
  if (other) return refuse(other)
  return readTokens(tokenize(folded), { today, maxAge })
}

/** A mobile or a national id in place of a date. No date has nine digits. */
function otherNumber(folded: string): BirthError | undefined {
  const digits = folded.replace(/\D/g, '')
  if (parseMobile(digits).ok) return 'looks_like_mobile'
  return digits.length === 10 && /\d{10}|\d{3}\D\d{6}\D\d/.test(folded) ? 'looks_like_national_id' : undefined
}

function readTokens(tokens: readonly Token[], limits: Limits): ParsedBirth {
  const said = new Set(tokens.flatMap(calendarsIn))
  if (said.has('lunar')) return refuse('lunar')
  const { rest, aged } = withoutAge(tokens)
  const months = rest.flatMap((token) => (token.kind === 'month' ? [token.month] : []))
  const numbers = rest.filter((token) => token.kind === 'number')
  if (aged && months.length === 0 && numbers.length < 3 && !numbers.some(isFullYear))
    return refuse('age_only')
  if (rest.some(({ kind }) => kind === 'unknown') || months.length > 1) return refuse('unreadable')
  if (months.length + numbers.length === 0) return refuse('unreadable')
  if (said.has('gregorian') && said.size > 1) return refuse('calendar_mismatch')
  const hint = (['gregorian', 'imperial', 'jalali'] as const).find((calendar) => said.has(calendar))
  const arrangements = arrangeAll(numbers, months[0], hint)
  if (typeof arrangements === 'string') return refuse(arrangements)
  const chosen = choose(arrangements, hint, limits)
  if (!chosen.ok || !months[0]?.isGuess) return chosen
  return { ...chosen, assumed: ['month', ...chosen.assumed] }
}

const OLDEST = 130

/** Takes an age («۲۸ ساله», «سنم ۲۸») out of the tokens. `aged` tells whether there was one. */
function withoutAge(tokens: readonly Token[]): { rest: Token[]; aged: boolean } {
  const named = tokens.some(({ kind }) => kind === 'month')
  const rest: Token[] = []
  let aged = false
  let expected = false
  for (const [at, token] of tokens.entries()) {
    // «۲۸ سال» is an age, but in «ماه ۵ سال ۱۳۷۵» the word belongs to the number behind it
    const years =
      !named && token.kind === 'unit' && token.unit === 'year' && tokens[at + 1]?.kind !== 'number'
    if (expected && isAge(token)) {
      aged = true
      expected = false
    } else if ((token.kind === 'age' || years) && isAge(rest.at(-1))) {
      rest.pop()
      aged = true
    } else if (token.kind === 'age') expected = !aged
    else rest.push(token)
  }
  return { rest, aged }
}

function isAge(token: Token | undefined): boolean {
  return token?.kind === 'number' && token.digits.length <= 3 && token.value <= OLDEST
}

/** The calendar that a month's name or a marker like «شمسی» asks for. */
function calendarsIn(token: Token): Marker[] {
  if (token.kind === 'month') return [token.month.calendar]
  return token.kind === 'marker' ? [token.marker] : []
}

/** The possible arrangements of the numbers, or why there is none. */
function arrangeAll(
  numbers: readonly NumberToken[],
  named: NamedMonth | undefined,
  hint: Marker | undefined,
): Arrangement[] | BirthError {
  const [first, second, third, ...more] = numbers
  if (!first) return 'incomplete'
  if (named) {
    if (!second) return 'incomplete'
    return (third ? undefined : arrangeNamed([first, second], named)) ?? 'unreadable'
  }
  const parts = second ? third && ([first, second, third] as const) : compactParts(first)
  if (!parts) return 'incomplete'
  if (typeof parts === 'string') return parts
  return (more.length > 0 ? undefined : arrange(parts, hint)) ?? 'unreadable'
}

/** Takes the only arrangement that is a possible birth date; several are asked about. */
function choose(arrangements: readonly Arrangement[], hint: Marker | undefined, limits: Limits): ParsedBirth {
  const results = arrangements.map((arrangement) => read(arrangement, hint, limits))
  const readings = results.filter((result) => typeof result !== 'string')
  const [only, ...others] = readings
  if (!only) {
    const errors = results.filter((result) => typeof result === 'string')
    return refuse(errors.find((error) => error !== 'invalid_month') ?? 'invalid_month')
  }
  return others.length === 0 ? { ok: true, ...only } : ambiguous(readings)
}

/** Short Jalali dates have too many readings for buttons. Gregorian ones have two: day and month swap. */
function ambiguous(readings: readonly Reading[]): ParsedBirth {
  const gregorian = readings.filter(({ calendar }) => calendar === 'gregorian')
  const candidates = [...new Set(gregorian.map(({ iso }) => iso))]
  return candidates.length > 1 ? { ok: false, error: 'ambiguous', candidates } : refuse('ambiguous')
}

const refuse = (error: BirthError): ParsedBirth => ({ ok: false, error })

/** Highest number that can be a day; anything above is a year. */
const LAST_DAY = 31

type Triple = readonly [NumberToken, NumberToken, NumberToken]

/** The arrangements of three numbers to try; `undefined` where the year is in the middle or occurs twice. */
function arrange(numbers: Triple, hint: Marker | undefined): Arrangement[] | undefined {
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

/** The arrangements of two numbers beside the name of a month. */
function arrangeNamed(
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
function compactParts({ digits }: NumberToken): Triple | BirthError {
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
function isFullYear({ digits }: NumberToken): boolean {
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
  const units = numbers.map((token) => token.unit ?? (isFullYear(token) ? 'year' : undefined))
  if (new Set(units).size < 3) return undefined
  const of = (unit: 'year' | 'month' | 'day') =>
    numbers[units.indexOf(unit)] ?? numbers[units.indexOf(undefined)]
  const [year, month, day] = [of('year'), of('month'), of('day')]
  if (!year || !month || !day || isFullYear(month) || isFullYear(day)) return undefined
  return { year, month: month.value, day: day.value }
}
