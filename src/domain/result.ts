import { isFields } from './fields.ts'

/** A record's result as far as it is understood: its shape differs from test to test (spec, Result). */
export type TestResult = { summary?: string; scales: Scale[] }
/** One scale of a test, with what is known of it. */
export type Scale = { title?: string; score?: number; percentile?: number; interpretation?: string }

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

function readScale(data: unknown): Scale {
  if (!isFields(data)) return {}
  const { title, score, percentile, interpretation } = data
  const scale: Scale = {}
  const name = readText(title)
  if (name) scale.title = name
  const points = readNumber(score)
  if (points !== undefined) scale.score = points
  const rank = readNumber(percentile)
  if (rank !== undefined) scale.percentile = Math.min(100, Math.max(0, rank))
  const words = readText(interpretation)
  if (words) scale.interpretation = words
  return scale
}

/** The words of a field; `undefined` when there are none. */
export function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

function readNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}
