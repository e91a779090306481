import type { Act } from '../storage/documents/acts.ts'
import { shorten, type Translate } from '../texts/texts.ts'
import { chunksOf, dayTimeText, lines, type View } from './view.ts'

/** This many lines surely fit in a message. */
const LINES_A_MESSAGE = 24

const LETTERS_A_NAME = 20
const LETTERS_A_TITLE = 30

/** The names of organizers by their ids, and the titles of records and roadmaps by token. */
type Names = { people: ReadonlyMap<number, string>; titles: ReadonlyMap<string, string> }

/** What organizers did, the newest first. */
export function auditView(t: Translate, acts: readonly Act[], { people, titles }: Names): View {
  if (acts.length === 0) return { text: t('audit-none') }
  const entries = acts.map(({ by, what, token, at }) => {
    const who = by === undefined ? t.plain('audit-participant') : String(by)
    const name = shorten((by !== undefined && people.get(by)) || '', LETTERS_A_NAME)
    const act = { time: dayTimeText(t, at), who, name, what: t.plain(`act.${what}`) }
    if (token === undefined) return t('audit-line', act)
    return t('audit-line-token', { ...act, token, title: shorten(titles.get(token) ?? '', LETTERS_A_TITLE) })
  })
  const messages = chunksOf(entries, LINES_A_MESSAGE).map((page, index) =>
    lines(index === 0 && t('audit-title'), page),
  )
  return { text: messages.at(-1) ?? '', before: messages.slice(0, -1) }
}
