type NumberWord = { value: number; ordinal: boolean }

/** Persian number words as `foldWords` leaves them, spoken forms beside written ones. */
const CARDINALS = `
  1 یک 2 دو 3 سه 4 چهار 4 چار 5 پنج 6 شش 6 شیش 7 هفت 8 هشت 9 نه 10 ده 11 یازده 12 دوازده 13 سیزده 14 چهارده 14 چارده
  15 پانزده 15 پونزده 16 شانزده 16 شونزده 17 هفده 17 هیفده 18 هجده 18 هیجده 18 هژده 18 هیژده 19 نوزده
  20 بیست 30 سی 40 چهل 50 پنجاه 60 شصت 70 هفتاد 80 هشتاد 90 نود 100 صد 100 یکصد 200 دویست 300 سیصد
  400 چهارصد 400 چارصد 500 پانصد 500 پونصد 600 ششصد 600 شیشصد 700 هفتصد 800 هشتصد 900 نهصد
  1000 هزار 1000 یکهزار 2000 دوهزار`
const IRREGULAR_ORDINALS = '1 اول 1 اولین 1 نخست 1 نخستین 3 سوم 3 سومین'

const numbered = (list: string): [word: string, value: number][] =>
  [...list.matchAll(/(\d+) (\S+)/g)].map(([, value, word = '']) => [word, Number(value)])

const words = new Map<string, NumberWord>()
for (const [word, value] of numbered(CARDINALS)) {
  words.set(word, { value, ordinal: false })
  for (const ending of ['م', 'ام', 'مین', 'امین']) words.set(word + ending, { value, ordinal: true })
}
for (const [word, value] of numbered(IRREGULAR_ORDINALS)) words.set(word, { value, ordinal: true })

const LONGEST_FIRST = [...words.keys()].sort((a, b) => b.length - a.length).join('|')
const RUN_TOGETHER = new RegExp(`^(?:${LONGEST_FIRST}|و)+$`)
const EACH_WORD = new RegExp(`${LONGEST_FIRST}|و`, 'g')

export const AND = 'و'

/** The longest word that is split. For a longer one the ways to split it multiply. */
const LONGEST = 60

/** Splits words that are written together («هفتادوپنج»). Anything else stays whole. */
export function splitNumberWords(word: string): string[] {
  if (word.length > LONGEST || words.has(word) || !RUN_TOGETHER.test(word)) return [word]
  return word.match(EACH_WORD) ?? [word]
}

/** Reads one number from the front of a list of words; `used` counts the words it takes. */
export function readNumberWords(
  list: readonly (string | undefined)[],
): { number: NumberWord; used: number } | undefined {
  const first = words.get(list[0] ?? '')
  if (!first) return undefined
  let { value, ordinal } = first
  let last = value
  let used = 1
  while (!ordinal) {
    const joined = list[used] === AND
    const next = words.get(list[used + (joined ? 1 : 0)] ?? '')
    if (!next) break
    if (next.value === 1000 && value <= 2 && !joined) value *= 1000
    else if (continues(last, next.value, joined)) value += next.value
    else break
    last = next.value
    ordinal = next.ordinal
    used += joined ? 2 : 1
  }
  return { number: { value, ordinal }, used }
}

/** Whether a word may follow another in one number: «هفتاد و پنج», and in speech «سیصد هفتاد». */
function continues(last: number, next: number, joined: boolean): boolean {
  if (last < 20) return false
  const place = last >= 1000 ? 1000 : last >= 100 ? 100 : 10
  return next < place && (joined || last >= 100)
}
