import { clean, toPersianLetters, ZWNJ } from './clean.ts'

export type NameError =
  | 'empty'
  | 'latin'
  | 'digit'
  | 'punctuation'
  | 'emoji'
  | 'foreign_letter'
  | 'too_short'
  | 'repeated'
  | 'too_long'

type ParsedName = { ok: true; name: string } | { ok: false; error: NameError; bad: string }

/** Letters that a name may be written with: 32 of the alphabet, آ and the four with hamza. */
const LETTERS = 'ءآأؤئابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی'
const NOT_IN_NAME = new RegExp(`[^${LETTERS} ]`, 'gu')

/** Longest name the service takes, in code points. */
const MAX_LENGTH = 50

/** Kashida, vowel signs, tanvin, tashdid, small Koranic signs; not the combining hamza, which may make a letter. */
const MARKS = /[\u0640\u0610-\u061a\u064b-\u0653\u0655-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]/g

/**
 * Reads a name as the service takes it: Persian letters and single spaces, ZWNJ folded away.
 * `hamza: 'fold'` writes ئ ؤ أ without hamza and leaves ء out, for a service that refuses them.
 * Visible characters are never dropped: `bad` has each one that a name cannot contain, once.
 */
export function parseName(text: string, { hamza }: { hamza: 'keep' | 'fold' }): ParsedName {
  const folded = foldName(text)
  const name = hamza === 'fold' ? withoutHamza(folded) : folded
  const bad = [...new Set(name.match(NOT_IN_NAME) ?? [])].join('')
  const error = bad ? kindOf(bad) : shapeError(name)
  return error ? { ok: false, error, bad } : { ok: true, name }
}

/** Whether a name has the form that `parseName` gives it. */
export function isFoldedName(text: string): boolean {
  const read = parseName(text, { hamza: 'keep' })
  return read.ok && read.name === text
}

/** Whether two spellings are of one name: with or without hamza, written together or apart. */
export const isSameName = (one: string, other: string): boolean => barest(one) === barest(other)

const barest = (text: string): string => withoutHamza(foldName(text)).replaceAll(' ', '')

/** One spelling for each name; folding twice changes nothing. */
function foldName(text: string): string {
  return toPersianLetters(clean(text).replace(MARKS, ''))
    .replace(/[ہھەۀۂ]/g, 'ه')
    .replace(/[ٱإ]/g, 'ا')
    .replace(/ی\u0654/g, 'ئ')
    .replace(/\u0654/g, '')
    .replace(new RegExp(`(?<=[ءآأؤادذرزژو])${ZWNJ}+`, 'g'), '') // invisible: these letters never join
    .replace(new RegExp(`${ZWNJ}+`, 'g'), ' ') // a rule such as [آ-ی\s] refuses ZWNJ, but never a space
    .replace(/ +/g, ' ')
    .trim()
    .replace(/ة(?= |$)/g, 'ه')
    .replace(/ة/g, 'ت')
    .replace(/(?<=^| )أ/g, 'ا')
}

function withoutHamza(name: string): string {
  const bare = name.replaceAll('ئ', 'ی').replaceAll('ؤ', 'و').replaceAll('أ', 'ا')
  return bare.replaceAll('ء', '').replace(/ +/g, ' ').trim()
}

/** The kind of refused characters that is mentioned first. */
function kindOf(bad: string): NameError {
  if (/\p{Script=Latin}/u.test(bad)) return 'latin'
  if (/\p{N}/u.test(bad)) return 'digit'
  if (/\p{Extended_Pictographic}|\p{Emoji_Presentation}|\p{Emoji_Modifier}/u.test(bad)) return 'emoji'
  if (/[\p{L}\p{M}]/u.test(bad)) return 'foreign_letter'
  return 'punctuation'
}

function shapeError(name: string): NameError | undefined {
  if (name === '') return 'empty'
  if (name.replaceAll(' ', '').length < 2) return 'too_short'
  if (/(\S)\1\1/.test(name)) return 'repeated'
  if (name.length > MAX_LENGTH) return 'too_long' // every letter left is one code unit
  return undefined
}
