import { compactParts } from './birth-compact.ts'
import { arrange, arrangeNamed } from './birth-order.ts'
import { type Arrangement, type Limits, type Reading, read } from './birth-reading.ts'
import { type NumberToken, type Token, tokenize } from './birth-tokens.ts'
import { foldWords, type Marker } from './birth-words.ts'
import { clean, ZWNJ } from './clean.ts'
import { parseMobile } from './mobile.ts'
import type { NamedMonth } from './month-names.ts'

export type BirthError =
  | 'empty'
  | 'unreadable'
  | 'incomplete'
  | 'age_only'
  | 'invalid_month'
  | 'invalid_day'
  | 'year_out_of_range'
  | 'future'
  | 'too_old'
  | 'ambiguous'
  | 'calendar_mismatch'
  | 'lunar'
  | 'looks_like_mobile'
  | 'looks_like_national_id'

/** `imperial` is the solar year counted from Cyrus, on birth certificates of 1976–78. */
export type BirthCalendar = 'jalali' | 'gregorian' | 'imperial'

/** What was guessed and has to be shown before it is taken. */
export type BirthAssumption = 'century' | 'order' | 'imperial'

export type ParsedBirth =
  | { ok: true; iso: string; calendar: BirthCalendar; assumed: BirthAssumption[] }
  | { ok: false; error: BirthError; candidates?: string[] }

/**
 * Reads a birth date typed in any usual way: Jalali, Gregorian or imperial, in digits, names or words.
 * `today` is the ISO date in Tehran. Where two readings are equally good, `candidates` holds both as ISO dates.
 */
export function parseBirth(text: string, { today, maxAge = 120 }: { today: string; maxAge?: number }): ParsedBirth {
  const cleaned = clean(text)
  if (cleaned.replaceAll(ZWNJ, '').trim() === '') return refuse('empty')
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

function readTokens(all: readonly Token[], limits: Limits): ParsedBirth {
  if (all.some(isLunar)) return refuse('lunar')
  const tokens = withoutAges(labelled(all))
  const months = tokens.flatMap((token) => (token.kind === 'month' ? [token.month] : []))
  const numbers = tokens.filter((token) => token.kind === 'number')
  if (tokens.length < all.length - 0 && saysAge(all) && months.length === 0 && numbers.length < 3 && !numbers.some(({ digits }) => digits.length > 3)) {
    return refuse('age_only')
  }
  if (tokens.some(({ kind }) => kind === 'unknown') || months.length > 1) return refuse('unreadable')
  if (months.length + numbers.length === 0) return refuse('unreadable')
  const hint = calendarHint(tokens, months[0])
  if (hint === 'conflict') return refuse('calendar_mismatch')
  const arrangements = arrangeAll(numbers, months[0], hint)
  return typeof arrangements === 'string' ? refuse(arrangements) : choose(arrangements, hint, limits)
}
