import type { Standing } from '../domain/record/standing.ts'
import type { SimpleTextKey, Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { type Button, button } from './view.ts'

/** Where a test stands, in words. */
export function standingText(t: Translate, standing: Standing): string {
  if (standing.at !== 'questions') return t.plain(`stage-${standing.at}`)
  const { answered, total } = standing
  return answered === total
    ? t.plain('stage-review')
    : t.plain('stage-question', { position: answered + 1, total })
}

/** The button that leads to a test. */
export function openButton(
  t: Translate,
  { s, standing: { at } }: { s: string; standing: Pick<Standing, 'at'> },
  title: string,
): Button {
  if (at === 'done') return button(t.plain('button-tests-result', { title }), buttons.result.data(s))
  const key = { new: 'button-tests-begin', waiting: 'button-tests-look' } as const
  return button(
    t.plain(at === 'new' || at === 'waiting' ? key[at] : 'button-tests-open', { title }),
    buttons.open.data(s),
  )
}

/** What the service says of the state of a record or roadmap. */
export type ServiceState = { status: number | null; isFinished: boolean; needsProfile: boolean }

const OF_STATUS: ReadonlyMap<number | null, SimpleTextKey> = new Map([
  [null, 'service-unread'],
  [0, 'service-waiting'],
  [1, 'service-scoring'],
  [3, 'service-progress'],
  [4, 'service-analysis'],
])

/** The same in words (spec, States). */
export function serviceStateText(t: Translate, { status, isFinished, needsProfile }: ServiceState): string {
  if (isFinished) return t.plain('service-finished')
  const ready = needsProfile ? 'service-ready' : 'service-ready-profile'
  return t.plain(OF_STATUS.get(status) ?? ready)
}
