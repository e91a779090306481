import type { RecordStage, RecordState } from '../domain/record/record.ts'
import { shorten } from '../texts/shorten.ts'
import type { Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { pageRow } from './page-row.ts'
import { type Button, button, type View } from './view.ts'

export type ListedTest = {
  s: string
  state: RecordState
  title: string
  /** The case number, for tests that would look alike. */
  caseNumber?: string | undefined
  answered?: number
  total?: number
}

/** So many stand on a page; with titles of so many letters it stays far within Telegram's limits. */
const TESTS_A_PAGE = 10
const LETTERS_A_TITLE = 200

const stageTexts = {
  new: 'stage-new',
  waiting: 'stage-waiting',
  intro: 'stage-new',
  profile: 'stage-profile',
  code: 'stage-code',
  loading: 'stage-loading',
  questions: 'stage-loading',
  submitting: 'stage-submitting',
  refused: 'stage-refused',
  board: 'stage-board',
  generating: 'stage-generating',
  failed: 'stage-failed',
  scored: 'stage-scored',
  done: 'stage-done',
  elsewhere: 'stage-elsewhere',
} as const satisfies Record<RecordStage, string>

function openLabel(stage: RecordStage) {
  if (stage === 'new' || stage === 'intro') return 'button-tests-begin'
  return stage === 'waiting' ? 'button-tests-look' : 'button-tests-open'
}

/** Lists what was begun and what is ready, what is over last, each with the button that leads there. */
export function testsView(t: Translate, tests: readonly ListedTest[], page = 1): View {
  const ordered = [...tests.filter((test) => !isOver(test)), ...tests.filter(isOver)]
  const named = ordered.map((test, index) => ({
    ...test,
    title: nameAmong(tests, test),
    number: index + 1,
  }))
  const isAlone = ({ title }: ListedTest) => named.filter((other) => other.title === title).length === 1
  const pages = Math.max(1, Math.ceil(named.length / TESTS_A_PAGE))
  const shown = Math.min(Math.max(page, 1), pages)
  const listed = named.slice((shown - 1) * TESTS_A_PAGE, shown * TESTS_A_PAGE)
  const ways = listed.filter(({ state }) => state.stage !== 'elsewhere')
  return {
    text: [
      t('tests-title'),
      ...listed.map(({ number, title, ...test }) =>
        t('tests-line', { number, title, state: stateText(t, test) }),
      ),
    ].join('\n\n'),
    keyboard: [
      ...ways.map((test) => {
        const { number, title } = test
        return [openButton(t, test, isAlone(test) ? title : t.plain('tests-numbered', { number, title }))]
      }),
      ...pageRow(t, {
        previous: shown > 1 && buttons.testsPage.data(shown - 1),
        next: shown < pages && buttons.testsPage.data(shown + 1),
      }),
    ],
  }
}

/** A test that has come on while the chat is about another one: where it stands, and the way there. */
export function meanwhileView(t: Translate, test: Pick<ListedTest, 's' | 'state' | 'title'>): View {
  const { title } = test
  return {
    text: t('meanwhile', { title, state: stateText(t, test) }),
    keyboard: [[openButton(t, test, title)]],
  }
}

/** Nothing is left to do in it. */
const isOver = ({ state: { stage } }: ListedTest): boolean => stage === 'done' || stage === 'elsewhere'

/** The button that leads to a test. */
export const openButton = (
  t: Translate,
  { s, state: { stage } }: { s: string; state: Pick<RecordState, 'stage'> },
  title: string,
): Button =>
  stage === 'done'
    ? button(t.plain('button-tests-result', { title }), buttons.result.data(s))
    : button(t.plain(openLabel(stage), { title }), buttons.open.data(s))

/** Its title; the case number tells apart what would look alike. */
function nameAmong(tests: readonly ListedTest[], { title, caseNumber }: ListedTest): string {
  const isAlone = tests.filter((other) => other.title === title).length === 1
  const name = shorten(title, LETTERS_A_TITLE)
  return isAlone || caseNumber === undefined || title.includes(caseNumber) ? name : `${name} · ${caseNumber}`
}

/** Where a test stands, in words. */
export function stateText(
  t: Translate,
  { state, answered, total }: Pick<ListedTest, 'state' | 'answered' | 'total'>,
): string {
  if (answered !== undefined && total !== undefined) return progressText(t, { answered, total })
  // No test of its own: it opens only with its package.
  if (state.stage === 'elsewhere' && state.ofRoadmap) return t.plain('stage-of-roadmap')
  return stageText(t, state.stage)
}

/** A stage in words, where nothing more is known. */
export const stageText = (t: Translate, stage: RecordStage): string => t.plain(stageTexts[stage])

/** How far somebody is with the questions. */
export const progressText = (
  t: Translate,
  { answered, total }: { answered: number; total: number },
): string =>
  answered === total ? t.plain('stage-review') : t.plain('stage-question', { position: answered + 1, total })
