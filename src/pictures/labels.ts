import type { Translate } from '../texts/texts.ts'

/** A card's own words, cleaned. */
export const cardLabels = (t: Translate, clean: (text: string) => string) => ({
  percentile: clean(t.plain('card-percentile')),
  noPercentile: clean(t.plain('card-no-percentile')),
  score: clean(t.plain('card-score')),
  scoreBelow: clean(t.plain('card-score-below')),
  rest: clean(t.plain('card-rest')),
  caseNumber: clean(t.plain('card-case-number')),
  /** Of a scale that came without a title. */
  untitled: (position: number) => clean(t.plain('card-untitled', { position })),
  page: (page: number, pages: number) => clean(t.plain('card-page', { page, pages })),
})

export type CardLabels = ReturnType<typeof cardLabels>
