import type { Language } from '../texts/languages.ts'
import type { CardScale } from './card.ts'
import type { CardLabels } from './labels.ts'

/** One test as it will be drawn, on one page or several: every text cleaned, every number checked. */
export type Sheet = {
  language: Language
  title: string
  /** The line under the title: a code beside its label. */
  fact?: { label: string; value: string } | undefined
  day: string
  scales: SheetScale[]
  note: string
  labels: CardLabels
}

/** What can be drawn of one score. */
export type SheetMark = {
  score: number | undefined
  percentile: number | undefined
}
export type SheetScale = SheetMark & { title: string }

type Clean = (text: string) => string

/**
 * The scales with everything that can be drawn: percentiles within 0 to 100, a title for each. Empty when no scale
 * has any number, because a picture of titles says nothing.
 */
export function readScales(scales: readonly CardScale[], labels: CardLabels, clean: Clean): SheetScale[] {
  const read = scales.map((scale, index) => ({
    title: clean(scale.title ?? '') || labels.untitled(index + 1),
    ...readMark(scale),
  }))
  return read.some(hasNumber) ? read : []
}

/** Whether a scale has anything that can be drawn. */
export const hasFigure = (scale: CardScale): boolean => hasNumber(readMark(scale))

export const hasNumber = ({ score, percentile }: SheetMark) => score !== undefined || percentile !== undefined

export function readMark(given: CardScale): SheetMark {
  const percentile = finite(given.percentile)
  // What is no percentile has no place on a hill of a hundred people.
  const isPlace = percentile !== undefined && percentile >= 0 && percentile <= 100
  return { score: finite(given.score), percentile: isPlace ? percentile : undefined }
}

const finite = (value: number | null | undefined) =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined
