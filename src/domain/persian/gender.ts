import type { Gender } from '../profile.ts'
import { clean, foldWords, isQuestion } from './clean.ts'

/** Each word also in its spoken forms: «دخترم», «دختره», «دخترمه». */
const WORDS: Readonly<Record<Gender, RegExp>> = {
  male: /^(?:مرد|اقا|پسر|مذکر|male|man|boy)(?:مه?|ه)?$/,
  female: /^(?:زن|خانم|خانوم|دختر|مونث|female|woman|girl)(?:مه?|ه)?$/,
}

/** Words that may surround the gender: «خانوم هستم», "I am a man". */
const AROUND = new Set(
  'من یک یه ی هستم هست هستش است میباشم جنسیت جنسیتم و i am im m a the my gender is'.split(' '),
)
const MOST_WORDS = 5

/** Reads a typed gender, also within a few words; `undefined` when it is none, both, or a question. */
export function parseGender(text: string): Gender | undefined {
  const words = foldWords(clean(text))
    .replace(/[^\p{L}]+/gu, ' ')
    .trim()
    .split(' ')
  const said = words.filter((word) => !AROUND.has(word))
  if (isQuestion(text) || said.length === 0 || words.length > MOST_WORDS) return undefined
  // «دختر خانم» names one gender.
  return (['male', 'female'] as const).find((gender) => said.every((word) => WORDS[gender].test(word)))
}
