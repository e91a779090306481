import type { Gender } from '../profile.ts'
import { clean, foldWords, isQuestion } from './clean.ts'

const WORDS: Readonly<Record<Gender, string>> = {
  male: 'مرد اقا پسر مذکر male man boy',
  female: 'زن خانم خانوم دختر مونث female woman girl',
}

/** What may stand around the word: «خانوم هستم», "I am a man". */
const AROUND = new Set(
  'من یک یه ی هستم هست است میباشم جنسیت جنسیتم و i am im m a the my gender is'.split(' '),
)
const MOST_WORDS = 5

/** Reads a typed gender, also within a few words; `undefined` when it is none, more than one, or asked. */
export function parseGender(text: string): Gender | undefined {
  const words = foldWords(clean(text))
    .replace(/[^\p{L}]+/gu, ' ')
    .trim()
    .split(' ')
  const [word, ...more] = words.filter((each) => !AROUND.has(each)).map((each) => each.replace(/م$/, ''))
  if (isQuestion(text) || word === undefined || more.length > 0 || words.length > MOST_WORDS) return undefined
  const has = (gender: Gender) => WORDS[gender].split(' ').some((each) => each.replace(/م$/, '') === word)
  return (['male', 'female'] as const).find(has)
}
