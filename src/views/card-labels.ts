import type { CardLabels } from '../report/card.ts'
import type { Translate } from '../texts/texts.ts'

/** The words of the result card. */
export function cardLabels(t: Translate): CardLabels {
  return {
    percentile: t.plain('card-percentile'),
    noPercentile: t.plain('card-no-percentile'),
    score: t.plain('card-score'),
    caseNumber: t.plain('card-case-number'),
    untitled: (position) => t.plain('card-untitled', { position }),
    page: (page, pages) => t.plain('card-page', { page, pages }),
    scoreBelow: t.plain('card-score-below'),
    rest: t.plain('card-rest'),
  }
}
