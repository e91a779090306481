import type { CardLanguage } from './card.ts'

const TOO_LONG_TO_WRITE_OUT = 1e9

/** A score or percentile in the digits of the card's language: at most two decimals, no grouping, a true minus. */
export function formatNumber(language: CardLanguage, value: number): string {
  const options = { useGrouping: false, signDisplay: 'negative' } as const
  const format = new Intl.NumberFormat(
    language === 'fa' ? 'fa-IR' : 'en',
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
export function formatDay(language: CardLanguage, date: Date): string {
  return new Intl.DateTimeFormat(language === 'fa' ? 'fa-IR-u-ca-persian' : 'en-GB', {
    timeZone: 'Asia/Tehran',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  }).format(date)
}
