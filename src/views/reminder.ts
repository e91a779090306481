import type { Standing } from '../domain/record/standing.ts'
import { shorten, type Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { openButton, testLine } from './tests.ts'
import { type Button, button, paragraphs, type View } from './view.ts'

/** What is recalled: what it is called, whose it is, and how far it has come. */
export type Recalled = {
  s: string
  title: string
  /** Of a test that waits in a package: what the package is called. */
  roadmap?: string
  standing: Standing
}

/** So many are named; with titles of so many letters they stay within one message. */
const MOST_NAMED = 20
const LETTERS_A_TITLE = 100

/** A friendly word about what was begun; no blame, ways to the exact places, and a way to hear no more of it. */
export function reminderView(t: Translate, recalled: readonly Recalled[]): View {
  const [only, ...others] = recalled
  const { text, keyboard } =
    only && others.length === 0
      ? { text: oneText(t, only), keyboard: [[wayThere(t, only)]] }
      : severalView(t, recalled)
  const noMore = button(t.plain('button-no-reminders'), buttons.remind.data('off'))
  return { text, keyboard: [...keyboard, [noMore]] }
}

function oneText(t: Translate, { title, roadmap, standing }: Recalled): string {
  if (standing.at === 'report') return t('reminder-report', { title })
  if (standing.at === 'new' && roadmap !== undefined) return t('reminder-next', { title, roadmap })
  if (standing.at !== 'questions') return t('reminder', { title })
  const { answered, total } = standing
  if (answered === total) return t('reminder-complete', { title })
  return t('reminder-questions', { title, answered, total })
}

function wayThere(t: Translate, { s, standing }: Recalled): Button {
  const data = buttons.open.data(s)
  if (standing.at === 'new') return button(t.plain('button-begin'), data, 'primary')
  if (standing.at !== 'questions' || standing.answered === standing.total)
    return button(t.plain('button-continue'), data, 'primary')
  return button(t.plain('button-continue-question', { position: standing.answered + 1 }), data, 'primary')
}

/** Each with its place on a line and a button; what one message cannot bear is counted. */
function severalView(t: Translate, recalled: readonly Recalled[]): { text: string; keyboard: Button[][] } {
  const named = recalled
    .slice(0, MOST_NAMED)
    .map((each, index) => ({ ...each, title: shorten(each.title, LETTERS_A_TITLE), number: index + 1 }))
  const more = recalled.length - named.length
  return {
    text: paragraphs(
      t('reminder-several', { count: recalled.length }),
      named.map((each) => testLine(t, each)),
      more > 0 && t('reminder-more', { count: more }),
    ),
    keyboard: named.map(({ number, title, ...test }) => [
      openButton(t, test, t.plain('tests-numbered', { number, title })),
    ]),
  }
}
