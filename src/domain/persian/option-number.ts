import { clean, foldWords, toAsciiDigits, toPersianLetters } from './clean.ts'
import { readNumberWords, splitNumberWords } from './number-words.ts'

const numbered =
  /^(?:(?:گزینه|مورد|شماره|جواب|پاسخ|option|answer|number|no)ی?[ .:]*)?[(#[]? ?(\d{1,3}) ?[.)\]:،,\-_]?$/i

/** What may stand around a number that is written in words. */
const AROUND =
  'گزینه گزینهی مورد شماره جواب پاسخ من همون همان ی لطفا the option answer number no choice please'.split(' ')

/** From one to twelve, each beside its ordinal. */
const ENGLISH = (
  'one first two second three third four fourth five fifth six sixth ' +
  'seven seventh eight eighth nine ninth ten tenth eleven eleventh twelve twelfth'
).split(' ')

/** Reads an option typed by its number («۲», «گزینهٔ ۲», «دو», "second"), counted from 1; `undefined` when it is none. */
export function parseOptionNumber(text: string): number | undefined {
  const typed = toAsciiDigits(clean(text)).replace(/\p{M}|\u200c/gu, '') // ezafe, and the frame of 2️⃣
  const number = Number(numbered.exec(toPersianLetters(typed).replace(/ۀ/g, 'ه'))?.[1])
  return number > 0 ? number : inWords(text)
}

const LONGEST_IN_WORDS = 60

function inWords(text: string): number | undefined {
  const folded = foldWords(clean(text))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  if (folded === '' || folded.length > LONGEST_IN_WORDS || /\d/.test(folded)) return undefined
  const all = folded.split(' ')
  // «یکی» and "the second one" as well as «دومی».
  const words =
    all.length === 1
      ? all
      : all.filter((word, index) => !AROUND.includes(word) && !(word === 'one' && index > 0))
  return english(words.length > 0 ? words : all) ?? persian(words)
}

function english([word = '', ...more]: readonly string[]): number | undefined {
  const at = more.length > 0 ? -1 : ENGLISH.indexOf(word)
  return at < 0 ? undefined : Math.floor(at / 2) + 1
}

function persian(words: readonly string[]): number | undefined {
  const parts = words.flatMap((word) => splitNumberWords(word))
  const last = parts.at(-1)
  for (const ending of [last, last?.replace(/ی$/, '')]) {
    const list = [...parts.slice(0, -1), ending]
    const read = readNumberWords(list)
    if (read && read.used === list.length && read.number.value > 0) return read.number.value
  }
  return undefined
}

/**
 * Which option is typed, counted from 0: its exact label, or its number; where labels are numbers themselves, the label
 * wins, however either is written. `undefined` when it is neither; a number may be one that no option has.
 */
export function parseTypedOption(text: string, labels: readonly string[]): number | undefined {
  const typed = plainLabel(text)
  const fitting = labels.flatMap((label, index) =>
    plainLabel(label) === typed && typed !== '' ? [index] : [],
  )
  if (fitting.length === 1) return fitting[0]
  const number = parseOptionNumber(text)
  if (number === undefined) return undefined
  const named = labels.flatMap((label, index) => (numberOf(label) === number ? [index] : []))
  return named.length === 1 ? named[0] : number - 1
}

/** The number that a label is, in digits alone: «نه» is a no, not a nine. */
function numberOf(label: string): number | undefined {
  const digits = toAsciiDigits(plainLabel(label))
  return /^\d+$/.test(digits) ? Number(digits) : undefined
}

/** A label without what nobody types the same way twice: marks, case, space, the stop at its end. */
const plainLabel = (label: string): string =>
  foldWords(clean(label))
    .replace(/[^\p{L}\p{N}\p{S}+-]+/gu, ' ')
    .trim()
