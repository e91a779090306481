import { bareWords, clean, foldWords, isQuestion, toAsciiDigits, toPersianLetters } from './clean.ts'
import { readNumberWords, splitNumberWords } from './number-words.ts'
import { isNoDoubt, parseSaying } from './saying.ts'

const numbered =
  /^(?:(?:گزینه|مورد|شماره|جواب|پاسخ|option|answer|number|no)ی?[ .:]*)?[(#[]? ?(\d{1,3}) ?[.)\]:،,\-_]?$/i

/** Words that may surround a number that is written in words. */
const AROUND =
  'گزینه گزینهی مورد شماره جواب پاسخ من همون همان ی لطفا the option answer number no choice please'.split(' ')

/** One to twelve, each followed by its ordinal. */
const ENGLISH = (
  'one first two second three third four fourth five fifth six sixth ' +
  'seven seventh eight eighth nine ninth ten tenth eleven eleventh twelve twelfth'
).split(' ')

type Typed = { value: number; ordinal: boolean }

/** Reads the typed number of an option («۲», «گزینهٔ ۲», «دو», "second"); `undefined` when it is none. */
function readNumber(text: string): Typed | undefined {
  const typed = toAsciiDigits(clean(text)).replace(/\p{M}|\u200c/gu, '') // ezafe, and the frame of 2️⃣
  const digits = numbered.exec(toPersianLetters(typed).replace(/ۀ/g, 'ه'))?.[1]
  return digits === undefined ? inWords(text) : { value: Number(digits), ordinal: false }
}

const LONGEST_IN_WORDS = 60

function inWords(text: string): Typed | undefined {
  const folded = bareWords(text)
  if (folded === '' || folded.length > LONGEST_IN_WORDS || /\d/.test(folded)) return undefined
  const all = folded.split(' ')
  // «یکی» and "the second one" as well as «دومی».
  const words =
    all.length === 1
      ? all
      : all.filter((word, index) => !AROUND.includes(word) && !(word === 'one' && index > 0))
  return english(words.length > 0 ? words : all) ?? persian(words)
}

function english([word = '', ...more]: readonly string[]): Typed | undefined {
  const at = more.length > 0 ? -1 : ENGLISH.indexOf(word)
  return at < 0 ? undefined : { value: Math.floor(at / 2) + 1, ordinal: at % 2 === 1 }
}

function persian(words: readonly string[]): Typed | undefined {
  const parts = words.flatMap((word) => splitNumberWords(word))
  const last = parts.at(-1)
  for (const ending of [last, last?.replace(/ی$/, '')]) {
    const list = [...parts.slice(0, -1), ending]
    const read = readNumberWords(list)
    if (read && read.used === list.length) return read.number
  }
  return undefined
}

/**
 * Which option is typed, counted from 0: by its exact label, or by its number, which is the label's own where
 * labels have one (`ownNumbers`). `undefined`: none, or a question. A number may exceed the options.
 */
export function parseTypedOption(text: string, labels: readonly string[]): number | undefined {
  const typed = plainLabel(text)
  const own = ownNumbers(labels)
  const spellings = own ? [asIs, wordsOf] : [asIs, onButton, wordsOf]
  // Many people leave half-spaces out. Beside digits a space has a meaning.
  for (const form of /\d/.test(typed) ? [plainLabel] : [plainLabel, joined])
    for (const spelling of spellings) {
      const isTyped = (label: string, index: number) => form(spelling(label, index)) === form(text)
      const fitting = places(labels, (label, index) => isTyped(label, index) && isNoDoubt(label, text))
      if (typed !== '' && fitting.length === 1) return fitting[0]
    }
  // A right-to-left box shows the minus last.
  const isSigned = typed.endsWith('-') && labels.some((label) => plainLabel(label).startsWith('-'))
  if (isQuestion(text) || isSigned) return undefined
  const agreed = yesOrNo(typed, labels)
  if (agreed !== undefined) return agreed
  const digits = typed.replace(/^(?:صفر|zero)$/, '0')
  const number = own && DIGITS.test(digits) ? { value: Number(digits), ordinal: false } : readNumber(text)
  if (!number || isNoNine(text, labels)) return undefined
  const { value, ordinal } = number
  if (own) {
    const [named, ...more] = places(own, (each) => each === value)
    return more.length === 0 && (!ordinal || named === value - 1) ? named : undefined
  }
  if (!ordinal && leads(labels).some((each, at) => each?.number === value && at !== value - 1))
    return undefined
  return value > 0 ? value - 1 : undefined
}

/** Whether the typed text is a number, of an option or not. */
export const isNumber = (text: string): boolean => readNumber(text) !== undefined

/**
 * The labels' own numbers, where these are typed and not the places: one of them differs from its place, and
 * none occurs twice. A label with a second number is a range. Ranges are typed by their places, unless a mere
 * number is among the labels.
 */
export function ownNumbers(labels: readonly string[]): (number | undefined)[] | undefined {
  const all = leads(labels)
  if (all.some((lead) => lead?.isRange) && !all.some((lead) => lead?.isAlone)) return undefined
  const own = all.map((lead) => (lead?.isRange ? undefined : lead?.number))
  const numbers = own.filter((number) => number !== undefined)
  if (new Set(numbers).size < numbers.length) return undefined
  return own.some((number, at) => number !== undefined && number !== at + 1) ? own : undefined
}

/** A number, and what follows it: nothing, words («۳ یا بیشتر») or the rest of a range ("0-5"). */
const LEAD = /^([+-]?\d+)(.*)$/
const DIGITS = /^[+-]?\d+$/
/** Text that is set off from its number is not the rest of a range («۱: ۱ تا ۲ روز»). */
const SET_OFF = /^[([]?[+-]?\d{1,3} ?(?:[)\]=]|[:.] )/

type Lead = { number: number; isAlone: boolean; isRange: boolean }

/** The numbers that labels begin with, if one label is only a number, or all of them begin with one. */
function leads(labels: readonly string[]): (Lead | undefined)[] {
  const all = labels.map((label): Lead | undefined => {
    const [, number, rest = ''] = (/\p{N}/u.test(label) ? LEAD.exec(plainLabel(label)) : null) ?? []
    if (number === undefined) return undefined
    const isRange = /\d/.test(rest) && !SET_OFF.test(signed(label))
    return { number: Number(number), isAlone: rest === '', isRange }
  })
  return all.some((lead) => lead?.isAlone) || all.every(Boolean) ? all : []
}

/** The plain words for yes and no. A word that only agrees («باشه») may mean something else. */
const YES_OR_NO = /^(?:بله|بلی|اره|اری|yes|نه|نه ?خیر|نخیر|خیر|no)$/

/** The one label that means the typed yes or no, where one label means yes and one means no. */
function yesOrNo(typed: string, labels: readonly string[]): number | undefined {
  if (!YES_OR_NO.test(typed)) return undefined
  const said = labels.map((label) => parseSaying(wordsOf(label)))
  const [yes, no] = (['yes', 'no'] as const).map((saying) => places(said, (one) => one === saying))
  if (yes?.length !== 1 || no?.length !== 1) return undefined
  return parseSaying(typed) === 'yes' ? yes[0] : no[0]
}

/** Whether «نه» means no and not nine: there is no ninth option. */
const isNoNine = (text: string, { length }: readonly string[]): boolean =>
  length < 9 && parseSaying(text) === 'no'

const places = <T>(list: readonly T[], fits: (one: T, index: number) => boolean): number[] =>
  list.flatMap((one, index) => (fits(one, index) ? [index] : []))

const BETWEEN = '.:)\\]=،,_|\\u0640\\u2013\\u2014-'
/** A number and words («۰: اصلاً», "1) rarely", "-2 = never"). A range («۱-۵ بار») does not match. */
const NUMBER_AND_WORDS = new RegExp(`^[([]?[+-]?\\d{1,3} ?[${BETWEEN}][ ${BETWEEN}]*([^\\d ${BETWEEN}].*)$`)
const wordsOf = (label: string): string => NUMBER_AND_WORDS.exec(signed(label))?.[1] ?? label

/** How an option is typed: as its label, as on its button, or as the label's words without the number. */
const asIs = (label: string): string => label
const onButton = (label: string, index: number): string => `${index + 1}. ${label}`

/** Turns every dash before a number into a minus sign. */
const signed = (label: string): string =>
  toAsciiDigits(clean(label)).replace(/[\u2010-\u2015\u2212](?=\d)/g, '-')

/** A label without the parts that people type differently: marks, case, spaces, the final stop. */
const plainLabel = (label: string): string =>
  foldWords(signed(label))
    .replace(/[^\p{L}\p{N}\p{S}+-]+/gu, ' ')
    .trim()

const joined = (label: string): string => plainLabel(label).replaceAll(' ', '')
