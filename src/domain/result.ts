import { isFields } from './fields.ts'
import { readSaid, readText, type Said } from './said.ts'
import { readScale, type Scale } from './scale.ts'

/** A record's result: its shape differs from test to test (spec, Result), so words under other names are read, too. */
export type TestResult = { summary?: string; said?: Said[]; scales: Scale[] }

/** Reads a result's JSON as it says it; whatever else is there never breaks it. */
export function readResult(data: unknown): TestResult {
  if (!isFields(data)) return { scales: [] }
  const summary = readText(data.summary)
  const scales = readScales(data.scales)
  const said = readSaid({
    ...data,
    title: undefined,
    ...(summary && { summary: undefined }),
    ...(Array.isArray(data.scales) && { scales: data.scales.filter((item) => !isFields(item)) }),
  })
  return { ...(summary && { summary }), ...(said.length > 0 && { said }), scales }
}

/** The scales of a list; what is none is left out. */
export const readScales = (scales: unknown): Scale[] =>
  Array.isArray(scales) ? scales.flatMap((item) => readScale(item) ?? []) : []

/** Whether a result says anything: a figure, or a word. */
export const saysSomething = (data: unknown): boolean => {
  const { summary, said = [], scales } = readResult(data)
  return summary !== undefined || said.length > 0 || scales.some(hasWords)
}

const hasWords = ({ title, interpretation, said }: Scale): boolean =>
  title !== undefined || interpretation !== undefined || said !== undefined
