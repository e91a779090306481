import { type DropOff, dropRows } from '../domain/drop-off.ts'
import { BOARD_STAGES, type BoardStage } from '../domain/record/standing.ts'
import type { Part } from '../observe/health.ts'
import type { BarsPicture, BarsRow } from '../pictures/bars.ts'
import { shorten, type Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { moreTests } from './tests.ts'
import { button, inReadingOrder, lines, paragraphs, type View } from './view.ts'

/** How many people are at each stage. A stage without any is absent. */
export type Counts = ReadonlyMap<BoardStage, number>

const LETTERS_A_BUTTON = 60
const MOST_TESTS = 9
/** This many tests have a button to their table. */
const MOST_TABLES = 10
/** This many rows fit in a picture that is readable on a phone. */
const MOST_ROWS = 11

type Board = {
  counts: Counts
  used: number
  limit: number
  tests: readonly string[]
  canExport: boolean
  failing: readonly Part[]
}

/** How many people are at each of these stages, or that there are none at all. */
export function countsText(
  t: Translate,
  counts: Counts,
  stages: readonly BoardStage[] = BOARD_STAGES,
): string {
  const total = sum([...counts.values()])
  const said = stages.map((stage) =>
    t('status-stage', { stage: t.plain(`board-stage.${stage}`), count: counts.get(stage) ?? 0 }),
  )
  return total > 0 ? lines(t('status-title', { count: total }), said) : t('status-none')
}

/** The label on a test's button. */
export const testLabel = (t: Translate, key: 'button-drop' | 'button-results-of', title: string): string =>
  shorten(t.plain(key, { title }), LETTERS_A_BUTTON)

/** How many people are at each stage, the calls of this hour, and buttons to the details. */
export function statusView(t: Translate, { counts, used, limit, tests, canExport, failing }: Board): View {
  const drops = tests
    .slice(0, MOST_TESTS)
    .map((title, index) => [button(testLabel(t, 'button-drop', title), buttons.drop.data(index))])
  const last = [
    button(t.plain('button-export'), buttons.export.data()),
    button(t.plain('button-audit'), buttons.audit.data()),
  ]
  const results = [button(t.plain('button-results'), buttons.results.data())]
  const parts = failing.map((part) => t.plain(`bot-part.${part}`)).join(t.plain('result-figures-joint'))
  const trouble = failing.length > 0 && t('status-trouble', { parts })
  const more = moreTests(t, tests.length - MOST_TESTS)
  const text = paragraphs(countsText(t, counts), t('status-calls', { used, limit }), trouble, more)
  return { text, keyboard: [...drops, ...(canExport ? [results, inReadingOrder(last, t.language)] : [])] }
}

/** Says that the table of results is on its way. Buttons lead to the table of one test. */
export const resultsComingView = (t: Translate, tests: readonly string[]): View => ({
  text: paragraphs(t('results-coming'), moreTests(t, tests.length - MOST_TABLES)),
  keyboard: (tests.length > 1 ? tests.slice(0, MOST_TABLES) : []).map((title, index) => [
    button(testLabel(t, 'button-results-of', title), buttons.resultsOf.data(index)),
  ]),
})

/** How many steps a person at this stage has surely passed. The stages in `BESIDE` need attention. */
const PASSED: Readonly<Record<BoardStage, number>> = {
  opened: 0,
  waiting: 0,
  profile: 1,
  stuck: 1,
  code: 2,
  answering: 3,
  submitting: 4,
  analysis: 5,
  delivered: 6,
  owed: 6,
}
const BESIDE: readonly BoardStage[] = ['stuck', 'waiting', 'owed']

type Pictured = Pick<Board, 'counts' | 'used' | 'limit'>

/** The counts of the stages as a funnel, with the calls below it. */
export function statusPicture(t: Translate, { counts, used, limit }: Pictured, date: Date): BarsPicture {
  const rows = BOARD_STAGES.map((stage): BarsRow => {
    const label = t.plain(`board-stage.${stage}`)
    const count = counts.get(stage) ?? 0
    if (BESIDE.includes(stage)) return { label, count, isWarning: true }
    const further = BOARD_STAGES.filter((other) => PASSED[other] >= PASSED[stage])
    return { label, count, reached: sum(further.map((other) => counts.get(other) ?? 0)) }
  })
  const note = `${t.plain('status-picture-note')} ${t.plain('status-calls', { used, limit })}`
  return { language: t.language, title: t.plain('status-picture-title'), date, rows, note }
}

/** Where participants stop in a test. */
export function dropPicture(t: Translate, test: DropOff, date: Date): BarsPicture {
  const rows = dropRows(test, MOST_ROWS).map(({ from, to, reached, stopped }): BarsRow => {
    const label = from === to ? t.plain('drop-question', { from }) : t.plain('drop-questions', { from, to })
    return { label, count: stopped, reached, isWarning: true }
  })
  const title = t.plain('drop-title', { title: test.title })
  const end = { label: t.plain('drop-all'), count: answeredAll(test) }
  return { language: t.language, title, date, rows: [...rows, end], note: t.plain('drop-note') }
}

/** Where participants stop in a test, in one sentence. */
export const dropCaption = (t: Translate, test: DropOff): string =>
  t('drop-caption', {
    title: test.title,
    begun: test.finished + sum(test.standing),
    finished: answeredAll(test),
  })

const answeredAll = ({ finished, standing, questions }: DropOff): number =>
  finished + (standing[questions] ?? 0)

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)
