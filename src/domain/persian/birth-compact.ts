import { type BirthError, calendarOfYear } from './birth-reading.ts'
import type { NumberToken } from './birth-tokens.ts'

/** Cuts a date written without separators: `13750512` or `12051375`, `750512` or `120575`. */
export function compactParts({
  digits,
}: NumberToken): readonly [NumberToken, NumberToken, NumberToken] | BirthError {
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

function split(digits: string, second: number, third: number) {
  return [
    part(digits.slice(0, second)),
    part(digits.slice(second, third)),
    part(digits.slice(third)),
  ] as const
}

function part(digits: string): NumberToken {
  return { kind: 'number', digits, value: Number(digits), ordinal: false }
}
