import { type Fields, isFields } from './fields.ts'
import { readResult } from './result.ts'
import type { Scale } from './scale.ts'
import { readText } from './scale-reading.ts'
import type { WhoIs } from './whose-section.ts'

/** A roadmap's combined result as far as it is understood (spec: its shape is not shown). */
export type RoadmapResult = { texts: AnalysisText[]; sections: ResultSection[] }
/** A part of the analysis, with the head it stands under. */
type AnalysisText = { title?: string; text: string }
/** The result of one test; `role` tells apart the same test of two persons. */
export type ResultSection = { title: string; role?: string; summary?: string; scales: Scale[] }

const DEEPEST = 8
const MOST_PARTS = 60
/** Names under which the words of an analysis stand. */
const WORDS = new Set(
  `analysis ai_analysis overview summary conclusion conclusions recommendations recommendation suggestions advice
  interpretation explanation description findings text body content`.split(/\s+/),
)
/** Names of lists that hold the tests of one person. */
const TESTS = ['tests', 'records', 'test_records', 'results', 'test_results']
const PERSONS = ['profile', 'participant', 'person', 'member', 'user']
const MARKUP = /<[a-z!/][^>]*>/i

/** What the objects around say of whose and which test it is. */
type Around = { role?: string | undefined; person?: string | undefined; title?: string | undefined }
type Found = Around & { title: string; summary: string | undefined; scales: Scale[] }

/**
 * Reads what is understood of a roadmap's JSON, without relying on its shape: every object with scales is the section
 * of a test, every text under a telling name outside of them is part of the analysis. Unknown fields never break it.
 * `whoIs` knows the people of the roadmap.
 */
export function readRoadmapResult(data: unknown, whoIs: WhoIs = () => undefined): RoadmapResult {
  const texts: AnalysisText[] = []
  const found: Found[] = []
  collect(data, {}, 0)
  return { texts: texts.slice(0, MOST_PARTS), sections: tellApart(found.slice(0, MOST_PARTS)) }

  function collect(value: unknown, around: Around, depth: number, isOneOfMany = false): void {
    if (!isFields(value) || depth > DEEPEST) return
    if (Array.isArray(value)) {
      for (const item of value) collect(item, around, depth + 1, value.length > 1)
      return
    }
    // The outermost title is that of the roadmap itself.
    const here = depth === 0 ? around : readAround(value, around, { isOneOfMany, whoIs })
    const { summary, scales } = readResult(value)
    if (scales.length > 0 || (summary && readText(value.test_title))) {
      found.push({ ...here, title: here.title ?? '', summary, scales })
      return
    }
    const title = here.title ?? here.role ?? here.person
    for (const [name, inner] of Object.entries(value)) {
      const words = WORDS.has(name) ? readWords(inner) : []
      texts.push(...words.map((text) => (title ? { title, text } : { text })))
      if (words.length === 0) collect(inner, here, depth + 1)
    }
  }
}

function readAround(
  fields: Fields,
  around: Around,
  { isOneOfMany, whoIs }: { isOneOfMany: boolean; whoIs: WhoIs },
): Around {
  const title = readText(fields.title) ?? readText(fields.name)
  const test = readText(fields.test_title) ?? readField(fields.test, 'title')
  const isPersons = isOneOfMany && !test && TESTS.some((name) => Array.isArray(fields[name]))
  const said =
    readText(fields.role_title) ??
    readText(fields.role) ??
    readField(fields.role, 'title') ??
    (isPersons ? title : undefined)
  const { token } = fields
  const role = whoIs({ token, id: fields.role_id ?? fields.role, title: said }) ?? said
  const person = PERSONS.map((name) => readField(fields[name], 'name')).find(Boolean)
  return {
    role: role ?? around.role,
    person: person ?? around.person,
    title: test ?? (isPersons ? undefined : title) ?? around.title,
  }
}

const readField = (value: unknown, name: string): string | undefined =>
  isFields(value) ? readText(value[name]) : undefined

/** A text or a list of texts; markup is left to the report. */
function readWords(value: unknown): string[] {
  const all = Array.isArray(value) ? value : [value]
  return all.flatMap((each) => readText(each) ?? []).filter((text) => !MARKUP.test(text))
}

/** Names the person where the role alone does not tell two sections of one title apart. */
function tellApart(found: readonly Found[]): ResultSection[] {
  return found.map(({ title, role, person, summary, scales }) => {
    const alike = found.filter((other) => other.title === title && other.role === role)
    const isNamed =
      person !== undefined && (role === undefined || alike.some((other) => other.person !== person))
    const label = isNamed ? [role, person].filter(Boolean).join('، ') : role
    return { title, ...(label ? { role: label } : {}), ...(summary ? { summary } : {}), scales }
  })
}
