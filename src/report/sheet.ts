import type { Language } from '../texts/languages.ts'
import type { CardLabels, CardScale } from './card.ts'

/** One test as it will be drawn, on one page or several: every text cleaned, every number checked. */
export type Sheet = {
  language: Language
  /** Small line above the title: the roadmap that the test belongs to. */
  overline: string
  title: string
  /** Lines under the title; a code beside its label has a direction of its own. */
  facts: { label?: string; value: string }[]
  day: string
  scales: SheetScale[]
  note: string
  labels: CardLabels
}

export type SheetScale = { title: string; score: number | undefined; percentile: number | undefined }

/**
 * The scales with everything that can be drawn: percentiles within 0 to 100, a title for each. Empty when no scale
 * has any number, because a picture of titles says nothing.
 */
export function readScales(
  scales: readonly CardScale[],
  labels: CardLabels,
  clean: (text: string) => string,
): SheetScale[] {
  const read = scales.map(({ title, score, percentile }, index) => {
    const place = finite(percentile)
    return {
      title: clean(title ?? '') || clean(labels.untitled(index + 1)),
      score: finite(score),
      percentile: place === undefined ? undefined : Math.min(100, Math.max(0, place)),
    }
  })
  const hasNumbers = read.some(({ score, percentile }) => score !== undefined || percentile !== undefined)
  return hasNumbers ? read : []
}

const finite = (value: number | null | undefined) =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined
