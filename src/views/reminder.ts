import type { Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { type NamedTest, openButton, shortenTitle, testLine } from './tests.ts'
import { type Button, button, inMessages, MOST_ROWS, type View } from './view.ts'

/** A test or roadmap to remind of. `roadmap`: the title of the roadmap that a waiting test belongs to. */
export type Recalled = NamedTest & { roadmap?: string }

const LETTERS_A_TITLE = 100

/** A friendly reminder without blame, with buttons to the exact places, and one to get no more of them. */
export function reminderView(t: Translate, recalled: readonly Recalled[]): View {
  const [only, ...others] = recalled
  const view =
    only && others.length === 0
      ? { text: oneText(t, only), keyboard: [[continueButton(t, only)]] }
      : severalView(t, recalled)
  const noMore = button(t.plain('button-no-reminders'), buttons.remind.data('off'))
  return { ...view, keyboard: [...view.keyboard, [noMore]] }
}

function oneText(t: Translate, { title, roadmap, standing }: Recalled): string {
  if (standing.at === 'report') return t('reminder-report', { title })
  if (standing.at === 'new' && roadmap !== undefined) return t('reminder-next', { title, roadmap })
  if (standing.at !== 'questions') return t('reminder', { title })
  const { answered, total } = standing
  if (answered === total) return t('reminder-complete', { title })
  return t('reminder-questions', { title, answered, total })
}

function continueButton(t: Translate, { s, standing }: Recalled): Button {
  const data = buttons.open.data(s)
  if (standing.at === 'new') return button(t.plain('button-begin'), data, 'primary')
  if (standing.at !== 'questions' || standing.answered === standing.total)
    return button(t.plain('button-continue'), data, 'primary')
  return button(t.plain('button-continue-question', { position: standing.answered + 1 }), data, 'primary')
}

/** Each has a line with its place, and a button. */
function severalView(t: Translate, recalled: readonly Recalled[]) {
  const named = recalled.map((each, at) =>
    testLine(t, { ...each, title: shortenTitle(each.title, LETTERS_A_TITLE), number: at + 1 }),
  )
  // One row is for the button that ends reminders.
  const ways = recalled.slice(0, MOST_ROWS - 1)
  return {
    ...inMessages(t('reminder-several', { count: recalled.length }), named),
    keyboard: ways.map((test, at) => [openButton(t, test, at + 1)]),
  }
}
