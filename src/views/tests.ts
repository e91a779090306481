import type { RecordStage } from '../domain/record-file.ts'
import type { Translate } from '../texts/texts.ts'
import { button, type View } from './view.ts'

export type ListedTest = {
  s: string
  stage: RecordStage
  title: string
  answered?: number
  total?: number
  /** No test of its own: it opens only with its package. */
  ofRoadmap?: boolean
}

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
  const lines = tests.map((test, index) => {
    const { answered, total } = test
    const state =
      answered === undefined || total === undefined
        ? t.plain(test.ofRoadmap ? 'stage-of-roadmap' : stageTexts[test.stage])
        : answered === total
          ? t.plain('stage-review')
          : t.plain('stage-question', { position: answered + 1, total })
    return t('tests-line', { number: index + 1, title: test.title, state })
  })
  return {
    text: [t('tests-title'), ...lines].join('\n\n'),
    keyboard: tests
      .filter(({ stage }) => stage !== 'elsewhere')
      .slice(0, 50)
      .map(({ s, stage, title }) => [
        stage === 'done'
          ? button(t.plain('button-tests-result', { title }), `result:${s}`)
          : button(t.plain(openLabel(stage), { title }), `open:${s}`),
      ]),
  }
}
