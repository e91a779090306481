import type { SimpleTextKey, Translate } from '../texts/texts.ts'
import { type Button, button, inReadingOrder } from './view.ts'

const PAGES = { previous: 'button-page-previous', next: 'button-page-next' } as const

/** The ways to the page before and the one behind, by their data, where there are such; no row where there is neither. */
export function pageRow(
  t: Translate,
  ways: { previous: string | false; next: string | false },
  labels: { previous: SimpleTextKey; next: SimpleTextKey } = PAGES,
): Button[][] {
  const row = (['previous', 'next'] as const).flatMap((way) => {
    const data = ways[way]
    return data === false ? [] : [button(t.plain(labels[way]), data)]
  })
  return row.length === 0 ? [] : [inReadingOrder(row, t.language)]
}
