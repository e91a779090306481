import { asksForCare, placeOf, type Range, type Scale } from '../domain/scale.ts'
import type { Language } from '../texts/languages.ts'
import type { CardLabels, CardScale, ComparedTest } from './card.ts'

/** One test as it will be drawn, on one page or several: every text cleaned, every number checked. */
export type Sheet = {
  language: Language
  /** Small line above the title: the roadmap that the test belongs to. */
  overline: string
  title: string
  /** Lines under the title; a code beside its label has a direction of its own. */
  facts: { label?: string; value: string }[]
  day: string
  /** The scales of one person, or those of several people side by side. */
  content: { scales: SheetScale[] } | { people: string[]; compared: ComparedScale[] }
  note: string
  labels: CardLabels
}

/** What can be drawn of one score. */
export type SheetMark = {
  score: number | undefined
  percentile: number | undefined
  /** The scores that can be, where they are known. */
  span: Range | undefined
  usual: Range | undefined
  /** Which end it is good to be near. */
  favourable: 'low' | 'high' | undefined
  /** What the result calls it. */
  standing: string
  asksForCare: boolean
}
export type SheetScale = SheetMark & { title: string }
export type ComparedScale = { title: string; marks: (SheetMark | undefined)[] }

type Clean = (text: string) => string

/**
 * The scales with everything that can be drawn: percentiles within 0 to 100, a title for each. Empty when no scale
 * has any number, because a picture of titles says nothing.
 */
export function readScales(scales: readonly CardScale[], labels: CardLabels, clean: Clean): SheetScale[] {
  const read = scales.map((scale, index) => ({
    title: clean(scale.title ?? '') || clean(labels.untitled(index + 1)),
    ...readMark(scale, labels, clean),
  }))
  return read.some(hasNumber) ? read : []
}

/** What several people have in common to be compared by; empty where no scale has the numbers of two. */
export function readCompared({ scales }: ComparedTest, labels: CardLabels, clean: Clean): ComparedScale[] {
  const read = scales.map(({ title, marks }, index) => ({
    title: clean(title ?? '') || clean(labels.untitled(index + 1)),
    marks: marks.map((mark) => mark && readMark(mark, labels, clean)),
  }))
  return read.filter(({ marks }) => marks.filter((mark) => mark && hasNumber(mark)).length > 1)
}

const hasNumber = ({ score, percentile }: SheetMark) => score !== undefined || percentile !== undefined

function readMark({ title: _, ...given }: CardScale, labels: CardLabels, clean: Clean): SheetMark {
  const score = finite(given.score)
  const percentile = finite(given.percentile)
  const { usual, level, polarity, min, max } = given
  const known: Scale = {
    ...(score !== undefined && { score }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(usual && { usual }),
    ...(level && { level }),
    ...(polarity && { polarity }),
  }
  const place = placeOf(known)
  return {
    score,
    percentile: percentile === undefined ? undefined : Math.min(100, Math.max(0, percentile)),
    span: spanOf(known),
    usual,
    favourable: polarity && ENDS[polarity],
    standing: clean(level?.words ?? '') || (place ? clean(labels.place[place]) : ''),
    asksForCare: asksForCare(known),
  }
}

const ENDS = { favourable: 'high', unfavourable: 'low', neutral: undefined } as const

/** From the lowest to the highest score; without a lowest one it is 0, where that can be. */
function spanOf({ score, min = 0, max, usual }: Scale): Range | undefined {
  if (max === undefined || max <= min || (score !== undefined && (score < min || score > max)))
    return undefined
  return usual && (usual.low < min || usual.high > max) ? undefined : { low: min, high: max }
}

const finite = (value: number | null | undefined) =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined
