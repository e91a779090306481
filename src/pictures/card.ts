import type { Scale } from '../domain/result.ts'
import type { Language } from '../texts/languages.ts'
import type { Translate } from '../texts/texts.ts'
import { cleanText } from './text.ts'

/** One scale as the service gives it. A missing value is left out of the picture. */
type CardScale = Pick<Scale, 'title' | 'score' | 'percentile'>

/** The result of one test. `date` is the moment the result was made; it is shown as a day in Tehran. */
export type RecordCard = {
  /** The card's own words, in its language. */
  t: Translate
  title: string
  caseNumber?: string
  date: Date
  scales: readonly (CardScale & { earlier?: CardScale })[]
  /** When the earlier result was made, if one is drawn beside this one. */
  earlierDate?: Date
  /** The closing line: not a diagnosis, and whom to ask. */
  note: string
  /** The upper limit for the pictures. Scales beyond it are not drawn. */
  most?: number
}

/** A line of a report: a heading, or words. It may read from the left even if it begins in Persian. */
export type ReportLine = { text: string; isHead: boolean; isFromLeft?: boolean }

/** A result in words, line by line, with its pictures. */
export type ReportCard = Omit<RecordCard, 'scales' | 'most' | 'earlierDate'> & {
  lines: readonly ReportLine[]
  pictures: readonly Buffer[]
}

/** The results of a roadmap: for each scale the values of all people, in the people's order. */
export type FamilyCard = Omit<RecordCard, 'caseNumber' | 'scales' | 'most' | 'earlierDate'> & {
  people: readonly string[]
  tests: readonly {
    title: string
    scales: readonly { title?: string; marks: readonly (CardScale | undefined)[] }[]
  }[]
}

/** A card's own words, cleaned. */
export const cardLabels = (t: Translate) => ({
  percentile: cleanText(t.plain('card-percentile')),
  usual: cleanText(t.plain('card-usual')),
  noPercentile: cleanText(t.plain('card-no-percentile')),
  score: cleanText(t.plain('card-score')),
  scoreBelow: cleanText(t.plain('card-score-below')),
  rest: cleanText(t.plain('card-rest')),
  caseNumber: cleanText(t.plain('card-case-number')),
  /** For a scale that came without a title. */
  untitled: (position: number) => cleanText(t.plain('card-untitled', { position })),
  thenAndNow: (now: string, then: string) => cleanText(t.plain('card-then-and-now', { now, then })),
  page: (page: number, pages: number) => cleanText(t.plain('card-page', { page, pages })),
})

type CardLabels = ReturnType<typeof cardLabels>

/** One test, ready to be drawn on one page or several: every text is cleaned, every number is checked. */
export type Sheet = {
  language: Language
  title: string
  /** The line under the title: a code beside its label. */
  fact?: { label: string; value: string } | undefined
  day: string
  scales: SheetScale[]
  /** The days of these figures and of the earlier ones. */
  thenAndNow?: string | undefined
  note: string
  labels: CardLabels
}

/** The numbers of one scale that can be drawn. */
export type SheetMark = ReturnType<typeof readMark>
export type SheetScale = SheetMark & { title: string; earlier?: SheetMark }

/**
 * The scales with everything that can be drawn: percentiles within 0 to 100, a title for each. Empty where no
 * scale has a number, because a picture of titles says nothing.
 */
export function readScales(scales: RecordCard['scales'], labels: CardLabels): SheetScale[] {
  const read = scales.map((scale, index) => ({
    title: cleanText(scale.title ?? '') || labels.untitled(index + 1),
    ...readMark(scale),
    ...(scale.earlier && { earlier: readMark(scale.earlier) }),
  }))
  return read.some(hasNumber) ? read : []
}

/** Whether a scale has a number that can be drawn. */
export const hasFigure = (scale: CardScale): boolean => hasNumber(readMark(scale))

export const hasNumber = ({ score, percentile }: SheetMark) => score !== undefined || percentile !== undefined

export function readMark({ score, percentile }: CardScale) {
  // A number outside of 0 to 100 has no place on a hill of a hundred people.
  const isPlace = percentile !== undefined && percentile >= 0 && percentile <= 100
  return { score, percentile: isPlace ? percentile : undefined }
}
