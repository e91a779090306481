import { isFields } from './fields.ts'
import type { Scale } from './scale.ts'
import { readScale, readText } from './scale-reading.ts'

/** A record's result as far as it is understood: its shape differs from test to test (spec, Result). */
export type TestResult = { summary?: string; scales: Scale[] }

/** Reads what is understood of a result's JSON; whatever else is there never breaks it. */
export function readResult(data: unknown): TestResult {
  if (!isFields(data)) return { scales: [] }
  const { summary, scales } = data
  const text = readText(summary)
  return {
    ...(text ? { summary: text } : {}),
    scales: Array.isArray(scales)
      ? scales.map(readScale).filter((scale) => Object.keys(scale).length > 0)
      : [],
  }
}
