import type { CardLabels } from '../report/card.ts'
import type { Translate } from '../texts/texts.ts'

/** The words of the result card. */
export function cardLabels(t: Translate): CardLabels {
  return {
    percentile: t.plain('card-percentile'),
    noPercentile: t.plain('card-no-percentile'),
    score: t.plain('card-score'),
    of: (max) => t.plain('card-score-of', { max }),
    between: (min, max) => t.plain('card-score-between', { min, max }),
    usual: (low, high) =>
      low === high ? t.plain('card-usual-one', { only: low }) : t.plain('card-usual', { low, high }),
    favourable: t.plain('card-favourable'),
    place: {
      below: t.plain('result-place-below'),
      usual: t.plain('result-place-usual'),
      above: t.plain('result-place-above'),
    },
    pointed: t.plain('card-pointed'),
    caseNumber: t.plain('card-case-number'),
    untitled: (position) => t.plain('card-untitled', { position }),
    page: (page, pages) => t.plain('card-page', { page, pages }),
    together: t.plain('card-together'),
  }
}
