import { LATIN_MONTHS, type NamedMonth, PERSIAN_MONTHS } from './month-names.ts'

/** Letters that sound alike, and are written for one another. */
const ALIKE = ['تط', 'سصث', 'زذضظ', 'حه', 'قغ', 'اع', 'ckq', 'sz', 'iy', 'ei', 'vw', 'uo']
/** A shorter name has too many neighbours that mean something else. */
const SHORTEST = { persian: 2, latin: 4 }

const sound = (one: string, other: string): boolean =>
  ALIKE.some((letters) => letters.includes(one) && letters.includes(other))

/** Whether a word is a name with one letter missing, too many, like another in sound, or swapped with its neighbour. */
function isSlip(word: string, name: string): boolean {
  let at = 0
  while (at < name.length && word[at] === name[at]) at += 1
  const rest = name.slice(at)
  const typed = word.slice(at)
  if (typed.length === rest.length - 1) return typed === rest.slice(1)
  if (typed.length === rest.length + 1) return typed.slice(1) === rest
  if (typed.length !== rest.length || rest === '') return false
  const [one = '', two = ''] = rest
  const isSwapped = typed[0] === two && typed[1] === one && typed.slice(2) === rest.slice(2)
  return isSwapped || (sound(one, typed[0] ?? '') && typed.slice(1) === rest.slice(1))
}

/** Guesses the month that a misspelt folded word names; Jalali first. It has to be asked about. */
export function guessMonth(word: string): NamedMonth | undefined {
  const name = word.length > 4 ? word.replace(/(?:ماه|mah)$/, '') : word
  const isLatin = /^[a-z]/.test(name)
  if (name.length < 2) return undefined
  const shortest = isLatin ? SHORTEST.latin : SHORTEST.persian
  const known = (isLatin ? LATIN_MONTHS : PERSIAN_MONTHS).find(
    ([each]) => each.length >= shortest && isSlip(name, each),
  )
  return known && { ...known[1], isGuess: true }
}
