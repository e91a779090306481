import type { PlacedQuestion } from '../domain/questionnaire.ts'
import { shorten, type Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { type Button, button, pageRow, paragraphs, rowsOf, type View, visibleLength } from './view.ts'

type Answered = { placed: readonly PlacedQuestion[]; answers: readonly number[] }
type Review = Answered & { s: string; page: number; allowBack: boolean }

const QUESTIONS_A_PAGE = 10
const LETTERS_A_PAGE = 3_200
/** The letters of a question, and of an answer, in one entry. */
const LETTERS_AN_ENTRY = 1_200

const submitRow = (t: Translate, s: string): Button[] => [
  button(t.plain('button-submit'), buttons.submit.data(s), 'success'),
]
const pauseRow = (t: Translate, s: string): Button[] => [
  button(t.plain('button-pause'), buttons.pause.data(s)),
]

/** All questions are answered. The answers can be sent, or reviewed first. */
export const completeView = (t: Translate, { s, total }: { s: string; total: number }): View => ({
  text: t('all-answered', { total }),
  keyboard: [submitRow(t, s), [button(t.plain('button-review'), buttons.review.data(s, 0))], pauseRow(t, s)],
  protect: true,
})

/** Shows a page of all answers, with a button for each question, and the one that sends the answers. */
export function reviewView(t: Translate, review: Review): View {
  const { s, placed, allowBack } = review
  const entries = entriesOf(t, review)
  const pages = pagesOf(entries)
  const page = Math.min(Math.max(review.page, 0), pages.length - 1)
  const { from, to } = pages[page] ?? { from: 0, to: 0 }
  const shown = entries.slice(from, to)
  const numbers = shown.map((_, index) =>
    button(t.plain('option-number', { number: from + index + 1 }), buttons.go.data(s, from + index)),
  )
  return {
    text: paragraphs(
      t('review-title', { page: page + 1, pages: pages.length, total: placed.length }),
      shown,
      allowBack ? t('review-hint') : t('review-hint-fixed'),
    ),
    keyboard: [
      ...(allowBack ? rowsOf(numbers, 5, t.language) : []),
      ...pageRow(t, { screen: page + 1, last: pages.length }, (to) => buttons.review.data(s, to - 1)),
      submitRow(t, s),
      pauseRow(t, s),
    ],
    protect: true,
  }
}

/** The page of the review that has this question. */
export function reviewPageOf(t: Translate, answered: Answered, question: number): number {
  const page = pagesOf(entriesOf(t, answered)).findIndex(({ to }) => question < to)
  return Math.max(page, 0)
}

const entriesOf = (t: Translate, { placed, answers }: Answered): string[] =>
  placed.map(({ question }, index) =>
    t('review-entry', {
      number: index + 1,
      question: brief(question.text),
      answer: brief(question.options[answers[index] ?? -1]?.label ?? ''),
    }),
  )

/** An entry has to fit on a page, however long its question is. The question itself is shown in full. */
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

type Paused = { s: string; title: string; answered: number; total: number; board?: string | undefined }

/** Says where to find the paused test again. */
export const pausedView = (t: Translate, { s, board, ...progress }: Paused): View => ({
  text: t('paused', progress),
  keyboard: [
    [button(t.plain('button-continue'), buttons.open.data(s), 'primary')],
    ...(board === undefined ? [] : [[button(t.plain('button-board'), buttons.open.data(board))]]),
  ],
})
