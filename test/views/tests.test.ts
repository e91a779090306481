import { describe, expect, test } from 'vitest'
import { newDraft } from '../../src/domain/profile.ts'
import type { RecordState } from '../../src/domain/record/record.ts'
import { loadTexts, type SimpleTextKey } from '../../src/texts/texts.ts'
import { type ListedTest, testsView } from '../../src/views/tests.ts'

const t = loadTexts().for('fa')
const draft = newDraft([{ limits: { minAge: null, maxAge: null, gender: 'both' } }])
const sms = { draftToken: 'draft', mobile: '09123456789', expiresAt: 0 }
const questions = { content: 'sha256', count: 90 }

type Button =
  | 'button-tests-begin'
  | 'button-tests-look'
  | 'button-tests-open'
  | 'button-tests-result'
  | undefined

const table: [RecordState, SimpleTextKey, Button][] = [
  [{ stage: 'new' }, 'stage-new', 'button-tests-begin'],
  [{ stage: 'waiting' }, 'stage-waiting', 'button-tests-look'],
  [{ stage: 'intro', needsProfile: true }, 'stage-new', 'button-tests-begin'],
  [{ stage: 'profile', draft }, 'stage-profile', 'button-tests-open'],
  [{ stage: 'code', draft, sms }, 'stage-code', 'button-tests-open'],
  [{ stage: 'loading' }, 'stage-loading', 'button-tests-open'],
  [{ stage: 'questions', questions }, 'stage-loading', 'button-tests-open'],
  [{ stage: 'submitting', questions }, 'stage-submitting', 'button-tests-open'],
  [{ stage: 'refused', questions }, 'stage-refused', 'button-tests-open'],
  [{ stage: 'board' }, 'stage-board', 'button-tests-open'],
  [{ stage: 'generating' }, 'stage-generating', 'button-tests-open'],
  [{ stage: 'failed', reasons: [] }, 'stage-failed', 'button-tests-open'],
  [{ stage: 'scored' }, 'stage-scored', 'button-tests-open'],
  [{ stage: 'done' }, 'stage-done', 'button-tests-result'],
  [{ stage: 'elsewhere' }, 'stage-elsewhere', undefined],
  [{ stage: 'elsewhere', ofRoadmap: true }, 'stage-of-roadmap', undefined],
]

const listed = (state: RecordState, rest: Partial<ListedTest> = {}): ListedTest => ({
  s: 'mood',
  title: 'حال',
  state,
  ...rest,
})

function lineOf(test: ListedTest): string | undefined {
  return testsView(t, [test]).text.split('\n\n')[1]
}

describe('what a list says of a test, and where its button leads', () => {
  test.each(table)('%j', (state, said, label) => {
    const { keyboard } = testsView(t, [listed(state)])
    expect(lineOf(listed(state))).toBe(t('tests-line', { number: 1, title: 'حال', state: t.plain(said) }))
    const data = label === 'button-tests-result' ? 'result:mood' : 'open:mood'
    expect(keyboard).toEqual(label ? [[{ text: t.plain(label, { title: 'حال' }), callback_data: data }]] : [])
  })

  test.each([
    [0, t.plain('stage-question', { position: 1, total: 90 })],
    [41, t.plain('stage-question', { position: 42, total: 90 })],
    [90, t.plain('stage-review')],
  ])('with %i of 90 answers', (answered, state) => {
    const test = listed({ stage: 'questions', questions }, { answered, total: 90 })
    expect(lineOf(test)).toBe(t('tests-line', { number: 1, title: 'حال', state }))
  })
})

test('each test has its line and, as far as Telegram takes them, its button', () => {
  const many = Array.from({ length: 60 }, (_, index) => listed({ stage: 'board' }, { s: `s${index}` }))
  const { text, keyboard = [] } = testsView(t, many)
  expect(text.split('\n\n')).toHaveLength(61)
  expect(keyboard).toHaveLength(50)
})
