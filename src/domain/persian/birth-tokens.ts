import { findWord, type Marker, type Unit } from './birth-words.ts'
import { findMonth, guessMonth, type NamedMonth } from './months.ts'
import { AND, readNumberWords, splitNumberWords } from './number-words.ts'

export type NumberToken = { kind: 'number'; digits: string; value: number; ordinal: boolean; unit?: Unit }

export type Token =
  | NumberToken
  | { kind: 'month'; month: NamedMonth }
  | { kind: 'marker'; marker: Marker }
  | { kind: 'unit'; unit: Unit }
  | { kind: 'age' | 'label' | 'unknown' }

/** Slashes, dashes, stops, brackets, quotes, kashida used as a dash, and pictures. */
const BETWEEN = String.raw`\s/\\\-_.,:;|*=()[\]{}"'!?،؍؛؟٫«»·•\u0640\u2010-\u2015\u2018-\u201f\u2044\u2212\u2215`
const PICTURES = String.raw`\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}`

/** Numbers, words, and separators. Anything else makes the text unreadable. */
const PIECES = new RegExp(String.raw`(\d+)|([^\P{L}\u0640]+)|[${BETWEEN}${PICTURES}]+|(.)`, 'gsu')

/** «5شنبه» and, before any other number, «5 شنبه» are a weekday and not the number five. */
const NUMBERED_WEEKDAY = /(?<=^\P{N}*)[1-5] ?(?=شنبه)|(?<=\s)[1-5](?=شنبه)/gu

/** Longest name of a month, a weekday or a calendar, in words. */
const MAX_WORDS = 3

/** Cuts folded text into tokens. Names may be written in several words («اردی بهشت», «ه . ش»). */
export function tokenize(folded: string): Token[] {
  const list = cut(folded)
  const tokens: Token[] = []
  for (let at = 0; at < list.length; ) {
    const { token, used } = readToken(list, at, tokens)
    const before = tokens.at(-1)
    if (token?.kind === 'number' && before?.kind === 'unit') token.unit = before.unit
    if (token) tokens.push(token)
    at += used
  }
  return tokens
}

type Piece = { text: string; attached: boolean }

function cut(folded: string): Piece[] {
  const list: Piece[] = []
  let end = -1
  for (const match of folded.replace(NUMBERED_WEEKDAY, '').matchAll(PIECES)) {
    const [text, digits, word, stranger] = match
    const attached = match.index === end
    end = match.index + text.length
    if (digits ?? stranger) list.push({ text, attached })
    else if (word) list.push(...splitNumberWords(word).map((part) => ({ text: part, attached })))
  }
  return list
}

type Read = { token?: Token; used: number }

function readToken(list: readonly Piece[], at: number, before: readonly Token[]): Read {
  const text = list[at]?.text ?? ''
  if (/\d/.test(text)) return { token: numberToken(text), used: 1 }
  if (text === 'م') return meem(list, at, before)

  for (let used = MAX_WORDS; used > 0; used--) {
    const joined = wordsAt(list, at, used).join('')
    const zero = joined === 'صفر' && readNumberWords([list[at + 1]?.text])
    if (zero && zero.number.value < 10) return { token: numberToken(`0${zero.number.value}`), used: 2 } // «صفر سه», 03
    const month = joined === 'day' && isEnglish(list) ? undefined : findMonth(joined)
    if (month) return { token: { kind: 'month', month }, used }
    const word = findWord(joined)
    if (word?.kind === 'ordinal') return ordinalEnding(before.at(-1), used)
    if (word) return { token: word, used }
  }
  const spoken = readNumberWords(wordsAt(list, at))
  if (spoken)
    return { token: numberToken(String(spoken.number.value), spoken.number.ordinal), used: spoken.used }
  if (text === AND) return { token: { kind: 'label' }, used: 1 }
  return misspelt(list, at) ?? { token: { kind: 'unknown' }, used: 1 }
}

const wordsAt = (list: readonly Piece[], at: number, most?: number): string[] =>
  list.slice(at, most && at + most).map(({ text }) => text)

/** A month's name with a slip in it, perhaps in two words («اردی بهش»). */
function misspelt(list: readonly Piece[], at: number): Read | undefined {
  for (const used of [2, 1]) {
    const words = wordsAt(list, at, used)
    const isName = words.length === used && words.every((word) => /^\p{L}/u.test(word))
    const month = isName ? guessMonth(words.join('')) : undefined
    if (month) return { token: { kind: 'month', month }, used }
  }
  return undefined
}

/** «Day» is Dey in Latin letters, unless a month is named or labelled beside it. */
function isEnglish(list: readonly Piece[]): boolean {
  return list.some(({ text }) => text === 'month' || (text !== 'day' && findMonth(text) !== undefined))
}

export function numberToken(digits: string, ordinal = false): NumberToken {
  return { kind: 'number', digits, value: Number(digits), ordinal }
}

/** Marks the number before it as an ordinal. */
function ordinalEnding(last: Token | undefined, used = 1): Read {
  if (last?.kind === 'number') last.ordinal = true
  return { used }
}

/** «م» is an ordinal's ending in «۱۲م مرداد» and the Gregorian calendar in «۱۹۹۶/۸/۳ م». */
function meem(list: readonly Piece[], at: number, before: readonly Token[]): Read {
  const last = before.at(-1)
  const monthBefore = list[at]?.attached === true && before.some(({ kind }) => kind === 'month')
  const isOrdinal = monthAt(list, at + 1) || (monthBefore && before.some(isLongYear))
  if (isOrdinal && last?.kind === 'number' && !isLongYear(last)) return ordinalEnding(last)
  return { token: { kind: 'marker', marker: 'gregorian' }, used: 1 }
}

function monthAt(list: readonly Piece[], at: number): boolean {
  const words = wordsAt(list, at, MAX_WORDS)
  return words.some((_, index) => findMonth(words.slice(0, index + 1).join('')) !== undefined)
}

const isLongYear = (token: Token): boolean => token.kind === 'number' && token.value > 31
