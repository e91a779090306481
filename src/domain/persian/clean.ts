/** Zero-width non-joiner, the "half space" of Persian: the one invisible character that carries meaning. */
export const ZWNJ = '\u200c'

/** Marks of direction, joiners, variation selectors, tags, and control characters that are no space. */
const INVISIBLE = /(?!\u200c)[\p{Default_Ignorable_Code_Point}]|(?!\p{White_Space})\p{Cc}/gu

/**
 * The first step for every typed field: one spelling of each character, nothing invisible but ZWNJ, single spaces.
 * Cleaning twice changes nothing.
 */
export function clean(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll('¬', ZWNJ) // old Windows keyboards write this for the half space
    .replace(INVISIBLE, '')
    .normalize('NFKC') // a removed character may have stood between a mark and its letter
    .replace(/\p{White_Space}+/gu, ' ')
    .trim()
}

/** Turns the digits of every script into 0–9; everything else stays. */
export function toAsciiDigits(text: string): string {
  return text.replace(/(?!\d)\p{Nd}/gu, (digit) => String(valueOfDigit(digit)))
}

/** The ten digits of a script have consecutive code points, the zero first. */
function valueOfDigit(digit: string): number {
  const point = digit.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(point - value - 1))) value += 1
  return value
}

/** Turns 0–9 into Persian digits; everything else stays. */
export function toPersianDigits(text: string): string {
  return text.replace(/[0-9]/g, (digit) => String.fromCharCode(0x06f0 + Number(digit)))
}

/** Replaces the letters that Arabic and Kurdish keyboards put for ی and ک. */
export const toPersianLetters = (text: string): string => text.replace(/[يىے]/g, 'ی').replace(/[كڪ]/g, 'ک')

/** «سی صد» and «نه صد» are one word. */
const PARTED_HUNDREDS = /(?<!\p{L})(سی|چهار|پان|شش|هفت|هشت|نه) (?=صد(?!\p{L}))/gu

/** One spelling for words that are only compared: no case, accents, hamza or madda; ZWNJ becomes a space. */
export function foldWords(text: string): string {
  return toPersianLetters(toAsciiDigits(text).normalize('NFKD').replace(/\p{M}/gu, ''))
    .replace(/[ةەہھ]/g, 'ه')
    .replace(/ٱ/g, 'ا')
    .replace(/ء/g, '')
    .replace(/(?<=\p{L})\u0640+/gu, '') // a stretched letter; between digits kashida is a dash
    .replaceAll(ZWNJ, ' ')
    .replace(PARTED_HUNDREDS, '$1')
    .toLowerCase()
}

/** One spelling for words that are compared: no marks, one blank between two. */
export const bareWords = (text: string): string =>
  foldWords(clean(text))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const QUESTION = /[?؟]/

/** Whether a text has a question mark. */
export const isQuestion = (text: string): boolean => QUESTION.test(clean(text))

/** The text after the last question mark. */
export const afterQuestion = (text: string): string => clean(text).split(QUESTION).at(-1) ?? ''
