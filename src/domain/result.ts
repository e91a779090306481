/** A record's result as far as it is understood: its shape differs from test to test (spec, Result). */
export type TestResult = { summary?: string; scales: Scale[] }
export type Scale = { title?: string; score?: number; percentile?: number; interpretation?: string }

/** Reads what is understood of a result's JSON; whatever else is there never breaks it. */
export function readResult(data: unknown): TestResult {
  if (typeof data !== 'object' || data === null) return { scales: [] }
  const { summary, scales } = data as { summary?: unknown; scales?: unknown }
  const text = readText(summary)
  return {
    ...(text ? { summary: text } : {}),
    scales: Array.isArray(scales)
      ? scales.map(readScale).filter((scale) => Object.keys(scale).length > 0)
      : [],
  }
}

function readScale(data: unknown): Scale {
  if (typeof data !== 'object' || data === null) return {}
  const { title, score, percentile, interpretation } = data as Record<string, unknown>
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

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

function readNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** A roadmap's combined result as far as it is understood (spec: its shape is not shown). */
export type RoadmapResult = { texts: string[]; sections: ResultSection[] }
export type ResultSection = { title: string; role?: string; summary?: string; scales: Scale[] }

const DEEPEST = 6
const WORDS = ['summary', 'analysis', 'overview', 'conclusion', 'recommendations', 'text']

/**
 * Reads what is understood of a roadmap's JSON, without relying on its shape: every object with scales is a section,
 * every text under a telling name above them is part of the analysis. Unknown fields never break it.
 */
export function readRoadmapResult(data: unknown): RoadmapResult {
  const result: RoadmapResult = { texts: [], sections: [] }
  collect(data, result, 0)
  return result
}

function collect(data: unknown, result: RoadmapResult, depth: number): void {
  if (typeof data !== 'object' || data === null || depth > DEEPEST) return
  if (Array.isArray(data)) {
    for (const item of data) collect(item, result, depth + 1)
    return
  }
  const fields = data as Record<string, unknown>
  const { summary, scales } = readResult(fields)
  if (scales.length > 0) {
    const role = readRole(fields.role_title) ?? readRole(fields.role)
    const title = readText(fields.test_title) ?? readText(fields.title) ?? readText(fields.name) ?? ''
    result.sections.push({ title, ...(role ? { role } : {}), ...(summary ? { summary } : {}), scales })
    return
  }
  for (const [name, value] of Object.entries(fields)) {
    const text = WORDS.includes(name) ? readText(value) : undefined
    if (text) result.texts.push(text)
    else if (WORDS.includes(name) && Array.isArray(value))
      result.texts.push(...value.flatMap((each) => readText(each) ?? []))
    else collect(value, result, depth + 1)
  }
}

function readRole(value: unknown): string | undefined {
  if (typeof value === 'object' && value !== null) return readText((value as { title?: unknown }).title)
  return readText(value)
}
