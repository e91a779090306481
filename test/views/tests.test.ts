import { describe, expect, test } from 'vitest'
import { newDraft } from '../../src/domain/profile.ts'
import type { RecordState } from '../../src/domain/record/record.ts'
import { standingOf } from '../../src/domain/record/standing.ts'
import type { SimpleTextKey } from '../../src/texts/texts.ts'
import { type ListedTest, testsView } from '../../src/views/tests.ts'
import { MESSAGE_LIMIT, type View, visibleLength } from '../../src/views/view.ts'
import { texts } from '../words.ts'

const t = texts.for('fa')
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
  [{ stage: 'elsewhere', isOthers: true }, 'stage-registered-elsewhere', undefined],
  [{ stage: 'elsewhere', ofRoadmap: true }, 'stage-of-roadmap', undefined],
]

const listed = (
  state: RecordState,
  { attempt, ...rest }: Partial<ListedTest> & { attempt?: { answered: number; questions: number } } = {},
): ListedTest => ({ s: 'mood', title: 'حال', standing: standingOf({ state }, attempt), ...rest })

function lineOf(test: ListedTest): string | undefined {
  return testsView(t, [test]).text.split('\n\n')[1]
}

describe('a test in the list has its state, and a button that fits it', () => {
  test.each(table)('in the state %j', (state, said, label) => {
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
    const test = listed({ stage: 'questions', questions }, { attempt: { answered, questions: 90 } })
    expect(lineOf(test)).toBe(t('tests-line', { number: 1, title: 'حال', state }))
  })
})

const linesOf = ({ text }: View) => text.split('\n\n').slice(1)
const dataOf = ({ keyboard = [] }: View) =>
  keyboard.flat().map((button) => ('callback_data' in button ? button.callback_data : ''))

/** This many tests that are not begun, and this many that are over. */
const several = (begun: number, over: number) => [
  ...Array.from({ length: over }, (_, index) => listed({ stage: 'done' }, { s: `over${index}` })),
  ...Array.from({ length: begun }, (_, index) => listed({ stage: 'board' }, { s: `begun${index}` })),
]

test('tests that fit on a page each have a line and a button, without other pages', () => {
  const view = testsView(t, several(6, 4))
  expect(linesOf(view)).toHaveLength(10)
  expect(dataOf(view)).toHaveLength(10)
  expect(dataOf(view).join(' ')).not.toContain('tests:page:')
})

test('of many tests the unfinished ones come first, and each has its button on some page', () => {
  const many = several(13, 97)
  const pages = Array.from({ length: 11 }, (_, index) => testsView(t, many, index + 1))
  const opened = pages.flatMap(dataOf).filter((data) => !data.startsWith('tests:page:'))
  expect(opened.slice(0, 13)).toEqual(Array.from({ length: 13 }, (_, index) => `open:begun${index}`))
  expect(new Set(opened).size).toBe(110)
  expect(pages.flatMap(linesOf)).toHaveLength(110)
  expect(dataOf(pages[0] ?? { text: '' }).at(-1)).toBe('tests:page:2')
  expect(new Set(dataOf(pages[5] ?? { text: '' }).slice(-2))).toEqual(
    new Set(['tests:page:5', 'tests:page:7']),
  )
  expect(dataOf(pages[10] ?? { text: '' }).at(-1)).toBe('tests:page:10')
})

test('a page that no longer exists shows the nearest one', () => {
  const many = several(0, 25)
  expect(testsView(t, many, 9)).toEqual(testsView(t, many, 3))
  expect(testsView(t, many, 0)).toEqual(testsView(t, many, 1))
})

test('the person after an endless title stays readable, on the line and on the button', () => {
  const long = 'ن'.repeat(200)
  const two = [
    listed({ stage: 'board' }, { s: 'one', title: `${long} · سارا`, caseNumber: '41' }),
    listed({ stage: 'board' }, { s: 'two', title: `${long} · مادربزرگ (زهرا)`, caseNumber: '42' }),
    listed({ stage: 'board' }, { s: 'three', title: `${long} · سارا`, caseNumber: '43' }),
    listed({ stage: 'board' }, { s: 'four', title: long }),
  ]
  const { text, keyboard = [] } = testsView(t, two)
  const [one, other, third] = keyboard.map(([button]) => button?.text ?? '')
  expect(text).toContain('… · مادربزرگ (زهرا)')
  for (const [label, end] of [
    [one, '… · سارا · 41'],
    [other, '… · مادربزرگ (زهرا)'],
    [third, '… · سارا · 43'],
  ])
    expect([label?.endsWith(end ?? ''), [...(label ?? '')].length <= 50]).toEqual([true, true])
})

test('if title, role and package are all long the package is cut', () => {
  const title = `${'ن'.repeat(60)} · مادر · ${'ب'.repeat(50)}`
  const { keyboard = [] } = testsView(t, [listed({ stage: 'board' }, { s: 'one', title })])
  expect(keyboard[0]?.[0]?.text).toMatch(/… · مادر$/)
})

test('ten tests with endless titles fit in one message', () => {
  const many = several(10, 0).map((test) => ({
    ...test,
    title: 'ن'.repeat(900),
    caseNumber: `PR-1405-${test.s}`,
  }))
  expect(visibleLength(testsView(t, many).text)).toBeLessThanOrEqual(MESSAGE_LIMIT)
})
