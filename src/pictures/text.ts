import { isRightToLeft, LANGUAGES, type Language } from '../texts/languages.ts'

const LEFT_TO_RIGHT = '\u2066'
const RIGHT_TO_LEFT = '\u2067'
const POP = '\u2069'

/** Longer texts do not fit on two lines anyway, and take long to measure. */
const MAX_LENGTH = 400

/** Control and direction characters, emoji and other scripts. Half space and joiner shape Persian words. */
const NOT_DRAWN =
  /(?![\u200c\u200d])\p{C}|(?![©®™])\p{Extended_Pictographic}|(?![\p{Script=Arabic}\p{Script=Latin}])\p{L}/gu

/** Prepares text from outside for the card: only what the font draws, no towers of marks, single spaces. */
export function cleanText(text: string): string {
  return text
    .slice(0, MAX_LENGTH * 4)
    .normalize('NFC')
    .replace(/[\u2070-\u209c\u2160-\u217f\u2460-\u24ff\uff00-\uffef]/g, (form) => form.normalize('NFKC'))
    .replace(/\s/g, ' ')
    .replace(NOT_DRAWN, '')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .replace(/[\u200c\u200d]*( +)[\u200c\u200d]*/g, '$1')
    .replace(/ +/g, ' ')
    .replace(/^[ \u200c\u200d]+|[ \u200c\u200d]+$/g, '')
    .slice(0, MAX_LENGTH)
}

// In a right-to-left line the sign of a number would move to its other side and the groups of a code, date or phone
// would change places. A sign after a letter (GAD-7) is a hyphen, and a dash between short Persian numbers is a range
// («۶-۱۸ سال»): both read well as they are.
const SIGNED = /[-+\u2212]\p{Nd}[\p{Nd}.,٫٬/]*/u
const GROUPS = /\p{Nd}+(?:-\p{Nd}+){2,}|[0-9]+-[0-9]+|[0۰]\p{Nd}+-\p{Nd}+|\p{Nd}+-\p{Nd}{5,}/u
const SIGNED_NUMBER_OR_CODE = new RegExp(
  `(?<![\\p{L}\\p{N}\\p{M}-])(?:${SIGNED.source}|${GROUPS.source})(?![\\p{L}\\p{M}\\p{Nd}])`,
  'gu',
)

/** Wraps text in direction isolates, so that it reads as in a book in its own language. */
export function isolate(language: Language, text: string): string {
  const firstLetter = /\p{L}/u.exec(text)?.[0]
  const isFromTheRight = isRightToLeft(language)
    ? hasPersian(text) || !firstLetter
    : hasPersian(firstLetter ?? '')
  if (!isFromTheRight) return LEFT_TO_RIGHT + text + POP
  const isolated = text.replace(SIGNED_NUMBER_OR_CODE, (code, at: number) => {
    const letterBefore = text.slice(0, at).match(/\p{L}(?=\P{L}*$)/u)?.[0]
    const isInLatin = letterBefore !== undefined && !hasPersian(letterBefore)
    return isInLatin ? code : LEFT_TO_RIGHT + code + POP
  })
  return RIGHT_TO_LEFT + isolated + POP
}

/** Wraps a line that reads from the left, also where it begins with Persian words. */
export const isolateLeft = (text: string): string => LEFT_TO_RIGHT + text + POP

/** Wraps a code or a number, which reads from left to right unless it has Persian letters. */
export const isolateCode = (code: string) => (hasPersian(code) ? RIGHT_TO_LEFT : LEFT_TO_RIGHT) + code + POP

const hasPersian = (text: string) => /(?=\p{L})\p{Script=Arabic}/u.test(text)

/** Escapes text for XML. */
export const escapeXml = (text: string) =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

const TOO_LONG_TO_WRITE_OUT = 1e9

/** A score or percentile in the card's digits: at most two decimals, no grouping, a true minus. */
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
export const formatDay = (language: Language, date: Date): string =>
  new Intl.DateTimeFormat(LANGUAGES[language].locale, {
    timeZone: 'Asia/Tehran',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  }).format(date)
