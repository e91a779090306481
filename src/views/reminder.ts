import type { RecordStage } from '../domain/record/record.ts'
import { shorten } from '../texts/shorten.ts'
import type { Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { openButton, progressText, stageText } from './tests.ts'
import { type Button, button, type View } from './view.ts'

/** What is recalled: what it is called, whose it is, and how far it has come. */
export type Recalled = {
  s: string
  title: string
  /** Of a test that waits in a package: what the package is called. */
  roadmap?: string
  /** `report`: of a package only the report is left. */
  place: RecordStage | 'report' | { answered: number; total: number }
}

/** So many are named; with titles of so many letters they stay within one message. */
const MOST_NAMED = 20
const LETTERS_A_TITLE = 100

/** A friendly word about what was begun; no blame, ways to the exact places, and a way to hear no more of it. */
export function reminderView(t: Translate, recalled: readonly Recalled[]): View {
  const [only, ...others] = recalled
  const { text, keyboard } = only && others.length === 0 ? oneView(t, only) : severalView(t, recalled)
  return {
    text,
    keyboard: [...keyboard, [button(t.plain('button-no-reminders'), buttons.remind.data('off'))]],
  }
}

type Ways = { text: string; keyboard: Button[][] }

const oneView = (t: Translate, recalled: Recalled): Ways => ({
  text: oneText(t, recalled),
  keyboard: [[wayThere(t, recalled)]],
})

function oneText(t: Translate, { title, roadmap, place }: Recalled): string {
  if (place === 'report') return t('reminder-report', { title })
  if (place === 'new' && roadmap !== undefined) return t('reminder-next', { title, roadmap })
  if (typeof place === 'string') return t('reminder', { title })
  return isComplete(place) ? t('reminder-complete', { title }) : t('reminder-questions', { title, ...place })
}

function wayThere(t: Translate, { s, place }: Recalled): Button {
  const data = buttons.open.data(s)
  if (place === 'new') return button(t.plain('button-begin'), data, 'primary')
  if (typeof place === 'string' || isComplete(place))
    return button(t.plain('button-continue'), data, 'primary')
  return button(t.plain('button-continue-question', { position: place.answered + 1 }), data, 'primary')
}

/** Each with its place on a line and a button; what one message cannot bear is counted. */
function severalView(t: Translate, recalled: readonly Recalled[]): Ways {
  const named = recalled
    .slice(0, MOST_NAMED)
    .map((each, index) => ({ ...each, title: shorten(each.title, LETTERS_A_TITLE), number: index + 1 }))
  const more = recalled.length - named.length
  return {
    text: [
      t('reminder-several', { count: recalled.length }),
      ...named.map(({ number, title, place }) =>
        t('tests-line', { number, title, state: placeText(t, place) }),
      ),
      ...(more > 0 ? [t('reminder-more', { count: more })] : []),
    ].join('\n\n'),
    keyboard: named.map(({ s, number, title, place }) => [
      openButton(t, { s, state: { stage: stageOf(place) } }, t.plain('tests-numbered', { number, title })),
    ]),
  }
}

function placeText(t: Translate, place: Recalled['place']): string {
  if (place === 'report') return t.plain('reminder-place-report')
  return typeof place === 'string' ? stageText(t, place) : progressText(t, place)
}

function stageOf(place: Recalled['place']): RecordStage {
  if (place === 'report') return 'board'
  return typeof place === 'string' ? place : 'questions'
}

const isComplete = ({ answered, total }: { answered: number; total: number }): boolean => answered === total
