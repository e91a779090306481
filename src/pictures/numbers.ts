import { LANGUAGES, type Language } from '../texts/languages.ts'

const TOO_LONG_TO_WRITE_OUT = 1e9

/** A score or percentile in the digits of the card's language: at most two decimals, no grouping, a true minus. */
export function formatNumber(language: Language, value: number): string {
  const options = { useGrouping: false, signDisplay: 'negative' } as const
  const format = new Intl.NumberFormat(
    LANGUAGES[language].locale,
    Math.abs(value) < TOO_LONG_TO_WRITE_OUT
      ? { ...options, maximumFractionDigits: 2 }
      : { ...options, notation: 'scientific', maximumFractionDigits: 1 },
  )
  return format
    .format(value)
    .replace(/[\u200e\u200f]/g, '') // the card isolates numbers itself
    .replace('-', '\u2212')
}

/** The day in Tehran: «۲۹ آبان ۱۴۰۵» or "20 November 2026". */
export function formatDay(language: Language, date: Date): string {
  return new Intl.DateTimeFormat(LANGUAGES[language].locale, {
    timeZone: 'Asia/Tehran',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  }).format(date)
}
