import { clean, foldWords, toAsciiDigits } from './clean.ts'

export type MobileError =
  | 'empty'
  | 'bad_char'
  | 'foreign'
  | 'landline'
  | 'too_short'
  | 'too_long'
  | 'not_mobile'
  | 'several'

type Refused = { ok: false; error: MobileError }
type ParsedMobile = { ok: true; mobile: string; unusual: boolean } | Refused

/** Space, ZWNJ, - _ . / , brackets, every dash, kashida used as a dash, the Arabic marks, comma and middle dot. */
const SEPARATORS = /[ \u200c\-_./,()[\]\u2010-\u2015\u2212\u0640\u066b\u066c\u060c\u00b7]/g

/** Two numbers or more in a row, each a mobile or a landline in any of its forms. */
const SEVERAL_NUMBERS = /^(?:\+?(?:(?:00)?980?|0)?9\d{9}|0[1-8]\d{9}|\+98[1-8]\d{9}){2,}$/

/** Longer texts are not searched for several numbers, which keeps hostile input cheap. */
const LONGEST = 60

/** The first digits of ranges in use. The specification admits every `09`, so others are confirmed once. */
const USUAL_RANGE = /^9[01239]/

/** A mobile as the service takes it (spec, Limits). */
export const MOBILE = /^09\d{9}$/

/**
 * Reads a typed number, or a shared contact's, as `09` and nine digits. `unusual`: it has to be confirmed
 * once more. A whole sentence is never searched for a number: anything beside the number is `bad_char`.
 */
export function parseMobile(text: string): ParsedMobile {
  const typed = toAsciiDigits(clean(text)).replace(/^tel:/i, '').replace(SEPARATORS, '')
  if (/[^\d+]/.test(typed)) return refuse('bad_char')
  if (!/\d/.test(typed)) return refuse('empty')
  if (typed.length <= LONGEST && SEVERAL_NUMBERS.test(typed)) return refuse('several')
  if (!/^(?:\+?\d+|\d+\+)$/.test(typed)) return refuse('bad_char') // right-to-left boxes put the + last

  const plus = typed.includes('+') || typed.startsWith('00')
  const digits = typed.replace('+', '').replace(/^00/, '')
  const national = nationalOf(digits, plus)
  if (typeof national !== 'string') return national
  if (!/^9\d{9}$/.test(national)) return refuse(nationalError(national, digits))
  return { ok: true, mobile: `0${national}`, unusual: !USUAL_RANGE.test(national) }
}

const MOST_LETTERS = 60
const PICTURE = /[\p{Extended_Pictographic}\p{Regional_Indicator}]/u
/** Words with which a sentence may mean another number, or none. */
const DOUBTFUL = /(?:^| )(?:نیست|نه|نیس|یا|قبلی|قدیمی|اشتباه|غلط|not|no|or|old|wrong)(?:$| )/u

/**
 * Reads a mobile as people say it: the only number in a short sentence («شمارم ۰۹۱۲… هست») or beside a
 * picture. A text that is a number alone is read as such.
 */
export function parseSaidMobile(text: string): ParsedMobile {
  const whole = parseMobile(text)
  const said = toAsciiDigits(clean(text))
  if (whole.ok || whole.error !== 'bad_char' || said.length > MOST_LETTERS) return whole
  const numbers = said.match(/(?<![\p{L}\p{N}])\+?\d(?:[\d -]*\d)?(?![\p{L}\p{N}])/gu) ?? []
  const [number, ...others] = numbers
  const words = foldWords(said).replace(/[^\p{L}]+/gu, ' ')
  const digits = number?.replace(/\D/g, '').length
  const isSaid = /\p{L}{2}/u.test(words) || PICTURE.test(said)
  const isWhole = said.replace(/\D/g, '').length === digits && isSaid
  return number !== undefined && others.length === 0 && isWhole && !DOUBTFUL.test(words)
    ? parseMobile(number)
    : whole
}

const refuse = (error: MobileError): Refused => ({ ok: false, error })

/** The number without 0 or country. `plus`: it had + or 00, which Telegram's contacts leave out. */
function nationalOf(digits: string, plus: boolean): string | Refused {
  if (digits.startsWith('98')) return digits.slice(2).replace(/^0/, '')
  if (!plus && digits.startsWith('098') && digits.length >= 12) return digits.slice(3)
  if (digits.startsWith('0')) return digits.slice(1)
  // a stray plus: no country whose code begins like a usual range has numbers of ten digits with it
  if (plus && digits.length === 10 && USUAL_RANGE.test(digits)) return digits
  if (plus) return refuse(digits.length < 7 ? 'too_short' : 'foreign')
  if (digits.startsWith('9')) return digits
  if (digits.length < 12) return refuse(digits.length < 10 ? 'too_short' : 'not_mobile')
  return refuse(digits.length <= 15 ? 'foreign' : 'too_long') // E.164 ends at 15 digits
}

function nationalError(national: string, typed: string): MobileError {
  if (national.startsWith('9')) return national.length < 10 ? 'too_short' : 'too_long'
  if (typed.startsWith('98') && national.length < 10) return 'too_short' // a landline has ten digits there too
  if (national.length < 8) return 'too_short'
  if (national.startsWith('0')) return 'not_mobile'
  return 'landline'
}
