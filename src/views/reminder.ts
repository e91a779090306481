import type { Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { type NamedTest, openButton, shortenTitle, testLine } from './tests.ts'
import { type Button, button, fitsMessage, MOST_ROWS, paragraphs, type View } from './view.ts'

/** A test or roadmap to remind of. `roadmap`: the title of the roadmap that a waiting test belongs to. */
export type Recalled = NamedTest & { roadmap?: string }

/** Where many are named, each title is cut shorter, until all of them fit in one message. */
const LETTERS_A_TITLE = [100, 60, 40]

/** A friendly reminder without blame, with buttons to the exact places, and one to get no more of them. */
export function reminderView(t: Translate, recalled: readonly Recalled[]): View {
  const [only, ...others] = recalled
  const { text, keyboard } =
    only && others.length === 0
      ? { text: oneText(t, only), keyboard: [[continueButton(t, only)]] }
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

function continueButton(t: Translate, { s, standing }: Recalled): Button {
  const data = buttons.open.data(s)
  if (standing.at === 'new') return button(t.plain('button-begin'), data, 'primary')
  if (standing.at !== 'questions' || standing.answered === standing.total)
    return button(t.plain('button-continue'), data, 'primary')
  return button(t.plain('button-continue-question', { position: standing.answered + 1 }), data, 'primary')
}

/** Each has a line with its place, and a button. Those that do not fit in one message are counted. */
function severalView(t: Translate, recalled: readonly Recalled[]): { text: string; keyboard: Button[][] } {
  const count = recalled.length
  const linesOf = (most: number) =>
    recalled.map((each, at) =>
      testLine(t, { ...each, title: shortenTitle(each.title, most), number: at + 1 }),
    )
  const textOf = (named: readonly string[]) =>
    paragraphs(
      t('reminder-several', { count }),
      named,
      named.length < count && t('reminder-more', { count: count - named.length }),
    )
  const cut = LETTERS_A_TITLE.map(linesOf)
  const named = cut.find((all) => fitsMessage(textOf(all))) ?? cut.at(-1) ?? []
  while (!fitsMessage(textOf(named))) named.pop()
  // One row is for the button that ends reminders.
  const ways = recalled.slice(0, Math.min(named.length, MOST_ROWS - 1))
  return { text: textOf(named), keyboard: ways.map((test, at) => [openButton(t, test, at + 1)]) }
}
