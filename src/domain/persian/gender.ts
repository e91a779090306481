import type { Gender } from '../profile.ts'
import { foldWords } from './birth-words.ts'
import { clean } from './clean.ts'

const words = new Map<string, Gender>([
  ...['مرد', 'اقا', 'پسر', 'مذکر', 'male', 'man', 'boy'].map((word): [string, Gender] => [word, 'male']),
  ...['زن', 'خانم', 'خانوم', 'دختر', 'مونث', 'female', 'woman', 'girl'].map((word): [string, Gender] => [
    word,
    'female',
  ]),
])

/** Reads a typed gender; `undefined` when it is none, for there are buttons. */
export const parseGender = (text: string): Gender | undefined => words.get(foldWords(clean(text)))
