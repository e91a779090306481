import { expect, test } from 'vitest'
import { auditView } from '../../src/views/audit.ts'
import { filtersView } from '../../src/views/listing.ts'
import { resultsComingView, statusPicture, statusView } from '../../src/views/status.ts'
import { MESSAGE_LIMIT, type View, visibleLength } from '../../src/views/view.ts'
import { texts } from '../words.ts'

const board = { counts: new Map(), used: 0, limit: 3_000, canExport: true, failing: [] }
const listing = { id: 'listing', text: '', screen: 1 }
const kindsOf = (tests: readonly string[]) => tests.map((title) => ({ id: title, title }))

const views: readonly (readonly [what: string, most: number, view: (tests: string[]) => View])[] = [
  ['filters', 6, (tests) => filtersView(texts.for('fa'), { ...listing, kinds: kindsOf(tests) })],
  ['/status', 9, (tests) => statusView(texts.for('fa'), { ...board, tests })],
  ['the tables of results', 10, (tests) => resultsComingView(texts.for('fa'), tests)],
]

test.each(views)(
  '%s have a button for each of %i tests, and say how many more there are',
  (_what, most, view) => {
    const named = Array.from({ length: most + 3 }, (_, at) => `آزمون ${at}`)
    const buttonsOf = ({ keyboard = [] }: View) =>
      keyboard.flat().filter(({ text }) => text.includes('آزمون '))
    const said = texts.for('fa')('tests-more', { count: 3 })
    expect(view(named).text.split('\n\n').at(-1)).toBe(said)
    expect(buttonsOf(view(named))).toHaveLength(most)
    expect(view(named).keyboard?.flat().length).toBeLessThanOrEqual(12)
    const fitting = view(named.slice(0, most))
    expect(buttonsOf(fitting)).toHaveLength(most)
    expect(fitting.text).not.toContain('این‌جا دکمه نیست')
  },
)

test('a stuck person counts only for the first stage', () => {
  const { rows } = statusPicture(texts.for('fa'), { ...board, counts: new Map([['stuck', 1]]) }, new Date())
  const reached = ['profile', 'code', 'answering'] as const
  const labels = reached.map((stage) => texts.for('fa').plain(`board-stage.${stage}`))
  expect(labels.map((label) => rows.find((row) => row.label === label)?.reached)).toEqual([1, 0, 0])
})

test('the picture shows the calls of the hour against the limit, as the text does', () => {
  const { note } = statusPicture(texts.for('fa'), { ...board, used: 412 }, new Date())
  expect(note).toContain(texts.for('fa').plain('status-calls', { used: 412, limit: 3_000 }))
})

test.each(['fa', 'en'] as const)('the longest lines of the audit fit into messages, in %s', (language) => {
  const token = '0f8fad5b-d9cb-469f-a165-70867728950e'
  const act = { by: 9_876_543_210, what: 'release-other', token, at: Date.UTC(2026, 8, 22, 12) } as const
  const names = {
    people: new Map([[act.by, 'ن'.repeat(99)]]),
    titles: new Map([[token, 'ن'.repeat(99)]]),
  }
  const { before = [], text } = auditView(texts.for(language), Array(50).fill(act), names)
  const lengths = [...before, text].map(visibleLength)
  expect(lengths.filter((length) => length > MESSAGE_LIMIT)).toEqual([])
})
