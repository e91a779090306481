import type { Gender } from '../profile.ts'
import { clean, foldWords } from './clean.ts'

const WORDS: Readonly<Record<Gender, string>> = {
  male: 'مرد اقا پسر مذکر male man boy',
  female: 'زن خانم خانوم دختر مونث female woman girl',
}

/** Reads a typed gender; `undefined` when it is none, for there are buttons. */
export function parseGender(text: string): Gender | undefined {
  const word = foldWords(clean(text))
  return (['male', 'female'] as const).find((gender) => WORDS[gender].split(' ').includes(word))
}
