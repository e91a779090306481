import { type Fields, isFields } from './fields.ts'
import { toAsciiDigits } from './persian/digits.ts'
import type { Place, Polarity, Range, Scale } from './scale.ts'

/** Services call one thing by many names; written together and in small letters, as `nameOf` folds them. */
const NAMES = {
  title: 'title name',
  score: 'score rawscore raw points',
  percentile: 'percentile percentilerank percentilescore',
  interpretation: 'interpretation',
  min: 'min minimum minscore scoremin minimumscore lowest',
  max: 'max maximum maxscore scoremax maximumscore highest outof possiblescore',
  usual: 'usual usualrange normal normalrange averagerange reference referencerange healthyrange',
  range: 'range scorerange',
  polarity: 'polarity direction valence tone higherisbetter highisgood',
  level: 'level band category severity rating',
} as const
/** A longer text is no name of a level. */
const LONGEST_LEVEL = 40

const POLARITIES: Record<Polarity, string> = {
  favourable: 'favourable favorable positive good better strength higherisbetter up + +1 1 true مثبت مطلوب',
  unfavourable:
    'unfavourable unfavorable negative bad worse strain risk higherisworse down - -1 false منفی نامطلوب',
  neutral: 'neutral none both style 0 خنثی',
}
const PLACES: Record<Place, string> = {
  below:
    'low verylow below belowaverage belownormal lower پایین کم خیلیپایین خیلیکم پایینترازمعمول پایینترازمیانگین',
  usual:
    'normal average usual medium middle moderate typical عادی معمولی متوسط طبیعی بهنجار نرمال میانگین درحدمعمول',
  above:
    'high veryhigh above aboveaverage abovenormal elevated higher بالا زیاد خیلیبالا خیلیزیاد بالاترازمعمول بالاترازمیانگین',
}
const NUMBER = String.raw`[-\u2212]?\d+(?:[.\u066b]\d+)?`
const RANGE = new RegExp(String.raw`^\s*(${NUMBER})\s*(?:-|–|—|تا|to|\.\.+|…|,|،)\s*(${NUMBER})\s*$`, 'i')

/** Reads what is understood of one scale; what contradicts itself is left out, and nothing is made up. */
export function readScale(data: unknown): Scale {
  if (!isFields(data)) return {}
  const find = finder(data)
  const title = readText(find('title'))
  const score = readNumber(find('score'))
  const rank = readNumber(find('percentile'))
  const interpretation = readText(find('interpretation'))
  const polarity = readWord(POLARITIES, find('polarity'))
  const level = readLevel(find('level'))
  return {
    ...(title && { title }),
    ...(score !== undefined && { score }),
    ...(rank !== undefined && { percentile: Math.min(100, Math.max(0, rank)) }),
    ...(interpretation && { interpretation }),
    ...readRanges(find, score),
    ...(polarity && { polarity }),
    ...(level && { level }),
  }
}

type Found = (name: keyof typeof NAMES) => unknown

/** Looks fields up under any of their names, the usual one first. */
function finder(fields: Fields): Found {
  const values = new Map<string, unknown>()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== null && value !== undefined) values.set(nameOf(name), value)
  }
  return (wanted) => {
    const name = NAMES[wanted].split(' ').find((each) => values.has(each))
    return name && values.get(name)
  }
}

/** What can be and what is usual. A bare `range` is what is usual only where it cannot be what can be. */
function readRanges(find: Found, score: number | undefined): Pick<Scale, 'min' | 'max' | 'usual'> {
  const range = readRange(find('range'))
  const min = readNumber(find('min'))
  const max = readNumber(find('max'))
  const within = (low: number | undefined, high: number | undefined) =>
    score === undefined || ((low === undefined || score >= low) && (high === undefined || score <= high))
  const isUsual =
    range !== undefined && (max === undefined ? !within(range.low, range.high) : range.high < max)
  const isSpan = range !== undefined && !isUsual && max === undefined
  const lowest = isSpan ? range.low : min
  const highest = isSpan ? range.high : max
  const isSound = within(lowest, highest) && (highest ?? Number.POSITIVE_INFINITY) > (lowest ?? 0)
  const usual = readRange(find('usual')) ?? (isUsual ? range : undefined)
  return {
    ...(isSound && lowest !== undefined && { min: lowest }),
    ...(isSound && highest !== undefined && { max: highest }),
    ...(usual && { usual }),
  }
}

function readRange(value: unknown): Range | undefined {
  const ends = endsOf(value)
  const [low, high] = ends.map(readNumber)
  return ends.length === 2 && low !== undefined && high !== undefined && low <= high
    ? { low, high }
    : undefined
}

function endsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value === 'string') return RANGE.exec(toAsciiDigits(value))?.slice(1) ?? []
  if (!isFields(value)) return []
  const low = value.min ?? value.low ?? value.from ?? value.lower ?? value.start
  const high = value.max ?? value.high ?? value.to ?? value.upper ?? value.end
  return [low, high]
}

/** Its words are shown as they are, unless they are one of those that the picture has words of its own for. */
function readLevel(value: unknown): Scale['level'] {
  const text = readText(isFields(value) ? (value.title ?? value.label ?? value.name) : value)
  if (text === undefined || text.length > LONGEST_LEVEL) return undefined
  const place = readWord(PLACES, text)
  const isCode = place !== undefined && /^[\w -]+$/.test(text)
  return { ...(place && { place }), ...(!isCode && { words: text }) }
}

function readWord<W extends string>(words: Record<W, string>, value: unknown): W | undefined {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return undefined
  const name = nameOf(String(value))
  for (const word in words) if (words[word].split(' ').includes(name)) return word
  return undefined
}

const nameOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/(?<=\p{L})[\s_\u200c-]+(?=\p{L})/gu, '')

/** The words of a field; `undefined` when there are none. */
export function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

function readNumber(value: unknown): number | undefined {
  const text =
    typeof value === 'string' ? toAsciiDigits(value.trim()).replace('\u2212', '-').replace('\u066b', '.') : ''
  const number = text ? Number(text) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}
