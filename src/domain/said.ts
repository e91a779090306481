import { isFields } from './fields.ts'

/** Words of a result, with the head they stand under. */
export type Said = { title?: string; text: string }

const MARKUP = /<[a-z!/][^<>]*>/i
const LINE_ENDS = /<(?:br|\/(?:p|div|li|h[1-6]|tr))\b[^<>]*>/gi
const TAGS = /<[a-z!/][^<>]*>/gi
/** What is written for machines: identifiers, times, addresses, colours. */
const CODE =
  /^(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d{4}-\d\d-\d\d(?:[T ][\d:.+Z-]*)?|(?:https?|ftp|data|mailto|tel):\S*|#[\da-f]{3,8})$/i
/** What the specification means by these is no word for a reader: whose and which it is, and the report itself. */
const SILENT: ReadonlySet<string> = new Set(
  `id token test_id role_id roadmap_id group_id draft_token status state create submit_on html
  profile role test test_title role_title roadmap_title display_title`.split(/\s+/),
)

/** The words of a field without their tags; `undefined` when there are none. */
export function readText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = MARKUP.test(value) ? value.replace(LINE_ENDS, '\n').replace(TAGS, '') : value
  return text.trim() || undefined
}

/** Words that somebody is meant to read. */
export function readWords(value: unknown): string | undefined {
  const text = readText(value)
  return text !== undefined && /\p{L}/u.test(text) && !CODE.test(text) ? text : undefined
}

/** All words of a value in their order, whatever the names are that they stand under. */
export function readSaid(value: unknown, title?: string): Said[] {
  const text = readWords(value)
  if (text !== undefined) return [{ ...(title && { title }), text }]
  if (Array.isArray(value)) return value.flatMap((item) => readSaid(item, title))
  if (!isFields(value)) return []
  const { head, rest } = headOf(value)
  const said = rest.flatMap(([, inner]) => readSaid(inner, head ?? title))
  // A title that heads nothing is what is said.
  return said.length === 0 && head ? [{ ...(title && { title }), text: head }] : said
}

/** What an object is called, and its other fields, as far as they can hold words. */
export function headOf(fields: Record<string, unknown>): {
  head: string | undefined
  rest: [string, unknown][]
} {
  const name = ['title', 'name'].find((each) => readWords(fields[each]) !== undefined)
  const rest = Object.entries(fields).filter(([each]) => each !== name && !SILENT.has(each))
  return { head: name && readWords(fields[name]), rest }
}
