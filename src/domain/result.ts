import { type Fields, isFields } from './fields.ts'
import { readMarkup } from './html-tree.ts'
import { toAsciiDigits } from './persian/clean.ts'

/** Words of a result, with the heading above them. */
export type Passage = { title?: string; text: string }

/** One scale of a test as the result gives it (spec, Result). The bot concludes nothing from it. */
export type Scale = {
  title?: string
  score?: number
  /** How many of a hundred people score lower. */
  percentile?: number
  interpretation?: string
  /** Words under field names that the specification does not give, unchanged. */
  passages?: string[]
}

/** A record's result. Its shape differs between tests (spec, Result), so other field names are read, too. */
export type TestResult = { summary?: string; passages?: Passage[]; scales: Scale[] }

/** A line break that is not inside a tag. */
const LINE_END = /(?<!<[a-z!/][^<>]{0,300})\n|\n(?![^<>]{0,300}>)/i
/** Values for machines: identifiers, times, addresses, colours. */
const CODE =
  /^(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d{4}-\d\d-\d\d(?:[T ][\d:.+Z-]*)?|(?:https?|ftp|data|mailto|tel):\S*|#[\da-f]{3,8})$/i
/** By the specification no words for a reader: ids and titles, and the report itself. */
const SILENT: ReadonlySet<string> = new Set(
  `id token test_id role_id roadmap_id group_id draft_token status state create submit_on html
  profile role test test_title role_title roadmap_title display_title`.split(/\s+/),
)

/** Reads a result's JSON. Unexpected content never breaks the reading. */
export function readResult(data: unknown): TestResult {
  if (!isFields(data)) return { scales: [] }
  const summary = readText(data.summary)
  const passages = readPassages({
    ...data,
    title: undefined,
    ...(summary && { summary: undefined }),
    ...(Array.isArray(data.scales) && { scales: data.scales.filter((item) => !isFields(item)) }),
  })
  return {
    ...(summary && { summary }),
    ...(passages.length > 0 && { passages }),
    scales: readScales(data.scales),
  }
}

/** Reads a list of scales. Items that are no scale are left out. */
export const readScales = (scales: unknown): Scale[] =>
  Array.isArray(scales) ? scales.filter(isFields).flatMap(readScale) : []

/** Reads one scale; an empty list where it has nothing to show. */
function readScale(data: Fields): Scale[] {
  const title = readText(data.title)
  const score = readNumber(data.score)
  const percentile = readNumber(data.percentile)
  const interpretation = readText(data.interpretation)
  const rest = { ...data, title: undefined, ...(interpretation && { interpretation: undefined }) }
  const passages = readPassages(rest).map(({ title: head, text }) => (head ? `${head}: ${text}` : text))
  const scale: Scale = {
    ...(title && { title }),
    ...(score !== undefined && { score }),
    ...(percentile !== undefined && { percentile }),
    ...(interpretation && { interpretation }),
    ...(passages.length > 0 && { passages }),
  }
  return Object.keys(scale).length > 0 ? [scale] : []
}

/** Whether a result has a word to show, also one of a scale. */
export const saysSomething = (data: unknown): boolean => {
  const { summary, passages = [], scales } = readResult(data)
  const hasWords = ({ title, interpretation, passages }: Scale) => title ?? interpretation ?? passages
  return summary !== undefined || passages.length > 0 || scales.some(hasWords)
}

/** The words of a field without tags, line by line; `undefined` when there are none. */
export function readText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  if (!/[<&]/.test(value)) return value.trim() || undefined
  try {
    const lines = value.split(LINE_END).map((line) => readMarkup(line).text)
    return lines.join('\n').trim() || undefined
  } catch {
    return value.trim()
  }
}

/** The words of a field, if they are meant for a reader. */
export function readWords(value: unknown): string | undefined {
  const text = readText(value)
  return text !== undefined && /\p{L}/u.test(text) && !CODE.test(text) ? text : undefined
}

function readNumber(value: unknown): number | undefined {
  const text =
    typeof value === 'string' ? toAsciiDigits(value.trim()).replace('\u2212', '-').replace('\u066b', '.') : ''
  const number = text ? Number(text) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** All words of a value in their order, under any field name. */
function readPassages(value: unknown, title?: string): Passage[] {
  const text = readWords(value)
  if (text !== undefined) return [{ ...(title && { title }), text }]
  if (Array.isArray(value)) return value.flatMap((item) => readPassages(item, title))
  if (!isFields(value)) return []
  const { head, rest } = headOf(value)
  const passages = rest.flatMap(([, inner]) => readPassages(inner, head ?? title))
  // A title without a passage below it is itself a passage.
  return passages.length === 0 && head ? [{ ...(title && { title }), text: head }] : passages
}

/** The title of an object, and its other fields that may hold words. */
export function headOf(fields: Fields): { head: string | undefined; rest: [string, unknown][] } {
  const name = ['title', 'name'].find((each) => readWords(fields[each]) !== undefined)
  const rest = Object.entries(fields).filter(([each]) => each !== name && !SILENT.has(each))
  return { head: name && readWords(fields[name]), rest }
}
