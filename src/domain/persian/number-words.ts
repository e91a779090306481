/** Persian number words as `foldWords` leaves them, spoken forms beside written ones. */
const cardinals: Readonly<Record<string, number>> = {
  ...{ یک: 1, دو: 2, سه: 3, چهار: 4, چار: 4, پنج: 5, شش: 6, شیش: 6, هفت: 7, هشت: 8, نه: 9, ده: 10 },
  ...{
    یازده: 11,
    دوازده: 12,
    سیزده: 13,
    چهارده: 14,
    چارده: 14,
    پانزده: 15,
    پونزده: 15,
    شانزده: 16,
    شونزده: 16,
  },
  ...{ هفده: 17, هیفده: 17, هجده: 18, هیجده: 18, هژده: 18, هیژده: 18, نوزده: 19 },
  ...{ بیست: 20, سی: 30, چهل: 40, پنجاه: 50, شصت: 60, هفتاد: 70, هشتاد: 80, نود: 90 },
  ...{ صد: 100, یکصد: 100, دویست: 200, سیصد: 300, چهارصد: 400, چارصد: 400, پانصد: 500, پونصد: 500 },
  ...{ ششصد: 600, شیشصد: 600, هفتصد: 700, هشتصد: 800, نهصد: 900, هزار: 1000, یکهزار: 1000, دوهزار: 2000 },
}

const irregularOrdinals = { اول: 1, اولین: 1, نخست: 1, نخستین: 1, سوم: 3, سومین: 3 }

type NumberWord = { value: number; ordinal: boolean }

const words = new Map<string, NumberWord>([
  ...Object.entries(cardinals).flatMap(([word, value]): [string, NumberWord][] => [
    [word, { value, ordinal: false }],
    ...['م', 'ام', 'مین', 'امین'].map((ending): [string, NumberWord] => [
      word + ending,
      { value, ordinal: true },
    ]),
  ]),
  ...Object.entries(irregularOrdinals).map(([word, value]): [string, NumberWord] => [
    word,
    { value, ordinal: true },
  ]),
])

const LONGEST_FIRST = [...words.keys()].sort((a, b) => b.length - a.length).join('|')
const RUN_TOGETHER = new RegExp(`^(?:${LONGEST_FIRST}|و)+$`)
const EACH_WORD = new RegExp(`${LONGEST_FIRST}|و`, 'g')

export const AND = 'و'

/** The longest number in one word; more is not tried, since the ways to part it multiply. */
const LONGEST = 60

/** Parts words written together («هفتادوپنج»); anything else stays whole. */
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

/** Whether a part may follow another in one number: «هفتاد و پنج», and in speech «سیصد هفتاد». */
function continues(last: number, next: number, joined: boolean): boolean {
  if (last < 20 || next >= 1000) return false
  const place = last >= 1000 ? 1000 : last >= 100 ? 100 : 10
  return next < place && (joined || last >= 100)
}
