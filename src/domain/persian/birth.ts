import { withoutAge } from './birth-age.ts'
import { compactParts } from './birth-compact.ts'
import { arrange, arrangeNamed, isFullYear } from './birth-order.ts'
import {
  type Arrangement,
  type BirthAssumption,
  type BirthCalendar,
  type BirthError,
  type Limits,
  type Reading,
  read,
} from './birth-reading.ts'
import { type NumberToken, type Token, tokenize } from './birth-tokens.ts'
import { foldWords, type Marker } from './birth-words.ts'
import { clean, ZWNJ } from './clean.ts'
import { parseMobile } from './mobile.ts'
import type { NamedMonth } from './month-names.ts'

export type { BirthAssumption, BirthCalendar, BirthError }

type ParsedBirth =
  | { ok: true; iso: string; calendar: BirthCalendar; assumed: BirthAssumption[] }
  | { ok: false; error: BirthError; candidates?: string[] }

/** Longer texts are no birth date; the limit keeps a hostile one cheap. */
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

/** A mobile or a national id in the wrong box: no date has nine digits. */
function otherNumber(folded: string): BirthError | undefined {
  const digits = folded.replace(/\D/g, '')
  if (digits.length < 9) return undefined
  if (parseMobile(digits).ok) return 'looks_like_mobile'
  return digits.length === 10 && /\d{10}|\d{3}\D\d{6}\D\d/.test(folded) ? 'looks_like_national_id' : undefined
}

function readTokens(tokens: readonly Token[], limits: Limits): ParsedBirth {
  if (tokens.some(isLunar)) return refuse('lunar')
  const { rest, aged } = withoutAge(tokens)
  const months = rest.flatMap((token) => (token.kind === 'month' ? [token.month] : []))
  const numbers = rest.filter((token) => token.kind === 'number')
  if (aged && months.length === 0 && numbers.length < 3 && !numbers.some(isFullYear))
    return refuse('age_only')
  if (rest.some(({ kind }) => kind === 'unknown') || months.length > 1) return refuse('unreadable')
  if (months.length + numbers.length === 0) return refuse('unreadable')
  const hint = calendarHint(rest)
  if (hint === 'conflict') return refuse('calendar_mismatch')
  const arrangements = arrangeAll(numbers, months[0], hint)
  if (typeof arrangements === 'string') return refuse(arrangements)
  const chosen = choose(arrangements, hint, limits)
  if (!chosen.ok || !months[0]?.isGuess) return chosen
  return { ...chosen, assumed: ['month', ...chosen.assumed] }
}

/** The calendar that a month's name or a marker like «شمسی» asks for. */
function calendarHint(tokens: readonly Token[]): Marker | undefined | 'conflict' {
  const said = new Set(
    tokens.flatMap((token): Marker[] => {
      if (token.kind === 'month') return [token.month.calendar]
      return token.kind === 'marker' ? [token.marker] : []
    }),
  )
  if (said.has('gregorian')) return said.size > 1 ? 'conflict' : 'gregorian'
  return said.has('imperial') ? 'imperial' : said.has('jalali') ? 'jalali' : undefined
}

/** The ways the numbers can be meant, or why there is none. */
function arrangeAll(
  numbers: readonly NumberToken[],
  named: NamedMonth | undefined,
  hint: Marker | undefined,
): Arrangement[] | BirthError {
  const [first, second, third, ...more] = numbers
  if (named) {
    if (!first || !second) return 'incomplete'
    return (third ? undefined : arrangeNamed([first, second], named)) ?? 'unreadable'
  }
  if (first && !second) {
    const parts = compactParts(first)
    return typeof parts === 'string' ? parts : (arrange(parts, hint) ?? 'unreadable')
  }
  if (!first || !second || !third) return 'incomplete'
  return (more.length > 0 ? undefined : arrange([first, second, third], hint)) ?? 'unreadable'
}

/** Takes the only arrangement that is a possible birth date; several are asked about. */
function choose(arrangements: readonly Arrangement[], hint: Marker | undefined, limits: Limits): ParsedBirth {
  const results = arrangements.map((arrangement) => read(arrangement, hint, limits))
  const readings = results.flatMap((result) => (result.ok ? [result.value] : []))
  const [only, ...others] = readings
  if (!only) {
    const errors = results.flatMap((result) => (result.ok ? [] : [result.error]))
    return refuse(errors.find((error) => error !== 'invalid_month') ?? 'invalid_month')
  }
  return others.length === 0 ? { ok: true, ...only } : ambiguous(readings)
}

/** Short Jalali dates have too many readings to offer buttons; a Gregorian one has day and month to choose between. */
function ambiguous(readings: readonly Reading[]): ParsedBirth {
  const candidates = [
    ...new Set(readings.filter(({ calendar }) => calendar === 'gregorian').map(({ iso }) => iso)),
  ]
  return candidates.length > 1 ? { ok: false, error: 'ambiguous', candidates } : refuse('ambiguous')
}

function isLunar(token: Token): boolean {
  if (token.kind === 'month') return token.month.calendar === 'lunar'
  return token.kind === 'marker' && token.marker === 'lunar'
}

const refuse = (error: BirthError): ParsedBirth => ({ ok: false, error })
