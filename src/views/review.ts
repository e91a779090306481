import type { PlacedQuestion } from '../domain/questionnaire.ts'
import { shorten, type Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { pageRow } from './page-row.ts'
import { button, rowsOf, type View, visibleLength } from './view.ts'

type Answered = { placed: readonly PlacedQuestion[]; answers: readonly number[] }
type Review = Answered & { s: string; page: number; allowBack: boolean }

const QUESTIONS_A_PAGE = 10
const LETTERS_A_PAGE = 3_200
/** Of its question, and of its answer. */
const LETTERS_AN_ENTRY = 1_200

/** All questions are answered: they can be sent, or looked at first. */
export function completeView(t: Translate, { s, total }: { s: string; total: number }): View {
  return {
    text: t('all-answered', { total }),
    keyboard: [
      [button(t.plain('button-submit'), buttons.submit.data(s), 'success')],
      [button(t.plain('button-review'), buttons.review.data(s, 0))],
      [button(t.plain('button-pause'), buttons.pause.data(s))],
    ],
    protect: true,
  }
}

/** Shows a page of all answers, with a way to each question and the button that sends them. */
export function reviewView(t: Translate, review: Review): View {
  const { s, placed, allowBack } = review
  const entries = entriesOf(t, review)
  const pages = pagesOf(entries)
  const page = Math.min(Math.max(review.page, 0), pages.length - 1)
  const shown = pages[page] ?? { from: 0, to: 0 }
  const numbers = entries
    .slice(shown.from, shown.to)
    .map((_, index) =>
      button(
        t.plain('option-number', { number: shown.from + index + 1 }),
        buttons.go.data(s, shown.from + index),
      ),
    )
  return {
    text: [
      t('review-title', { page: page + 1, pages: pages.length, total: placed.length }),
      ...entries.slice(shown.from, shown.to),
      allowBack ? t('review-hint') : t('review-hint-fixed'),
    ].join('\n\n'),
    keyboard: [
      ...(allowBack ? rowsOf(numbers, 5, t.language) : []),
      ...pageRow(t, {
        previous: page > 0 && buttons.review.data(s, page - 1),
        next: page < pages.length - 1 && buttons.review.data(s, page + 1),
      }),
      [button(t.plain('button-submit'), buttons.submit.data(s), 'success')],
      [button(t.plain('button-pause'), buttons.pause.data(s))],
    ],
    protect: true,
  }
}

/** The page of the review on which a question stands. */
export function reviewPageOf(t: Translate, answered: Answered, question: number): number {
  return Math.max(
    pagesOf(entriesOf(t, answered)).findIndex(({ to }) => question < to),
    0,
  )
}

const entriesOf = (t: Translate, { placed, answers }: Answered): string[] =>
  placed.map(({ question }, index) =>
    t('review-entry', {
      number: index + 1,
      question: brief(question.text),
      answer: brief(question.options[answers[index] ?? -1]?.label ?? ''),
    }),
  )

/** An entry has to fit into a page, whatever the question; in full it stands where it is asked. */
const brief = (text: string): string => shorten(text, LETTERS_AN_ENTRY)

function pagesOf(entries: readonly string[]): { from: number; to: number }[] {
  const pages: { from: number; to: number }[] = []
  let from = 0
  let letters = 0
  for (const [index, entry] of entries.entries()) {
    const length = visibleLength(entry) + 2
    if (index > from && (index - from >= QUESTIONS_A_PAGE || letters + length > LETTERS_A_PAGE)) {
      pages.push({ from, to: index })
      from = index
      letters = 0
    }
    letters += length
  }
  return [...pages, { from, to: entries.length }]
}
