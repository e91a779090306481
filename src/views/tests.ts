import type { RecordStage, RecordState } from '../domain/record/record.ts'
import type { Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { button, type View } from './view.ts'

export type ListedTest = {
  s: string
  state: RecordState
  title: string
  /** The case number, for tests that would look alike. */
  number?: string | undefined
  answered?: number
  total?: number
}

const MOST_LISTED = 50

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

/** Lists what was begun and what is ready, each with the button that leads there. */
export function testsView(t: Translate, tests: readonly ListedTest[]): View {
  const named = tests.map((test) => ({ ...test, title: nameAmong(tests, test) }))
  const lines = named.map((test, index) =>
    t('tests-line', { number: index + 1, title: test.title, state: stateText(t, test) }),
  )
  return {
    text: [t('tests-title'), ...lines].join('\n\n'),
    keyboard: named
      .map((test, index) => {
        const isAlone = named.every(({ title }, other) => other === index || title !== test.title)
        return isAlone
          ? test
          : { ...test, title: t.plain('tests-numbered', { number: index + 1, title: test.title }) }
      })
      .filter(({ state }) => state.stage !== 'elsewhere')
      .slice(0, MOST_LISTED)
      .map(({ s, state: { stage }, title }) => [
        stage === 'done'
          ? button(t.plain('button-tests-result', { title }), buttons.result.data(s))
          : button(t.plain(openLabel(stage), { title }), buttons.open.data(s)),
      ]),
  }
}

/** Its title; the case number tells apart what would look alike. */
function nameAmong(tests: readonly ListedTest[], { title, number }: ListedTest): string {
  const isAlone = tests.filter((other) => other.title === title).length === 1
  return isAlone || number === undefined || title.includes(number) ? title : `${title} · ${number}`
}

/** Where a test stands, in words. */
export function stateText(
  t: Translate,
  { state, answered, total }: Pick<ListedTest, 'state' | 'answered' | 'total'>,
): string {
  if (answered !== undefined && total !== undefined) return progressText(t, { answered, total })
  // No test of its own: it opens only with its package.
  if (state.stage === 'elsewhere' && state.ofRoadmap) return t.plain('stage-of-roadmap')
  return t.plain(stageTexts[state.stage])
}

/** How far somebody is with the questions. */
export const progressText = (
  t: Translate,
  { answered, total }: { answered: number; total: number },
): string =>
  answered === total ? t.plain('stage-review') : t.plain('stage-question', { position: answered + 1, total })
