import { expect, test } from 'vitest'
import type { TestResult } from '../../src/domain/result.ts'
import { type ResultText, resultMessages } from '../../src/views/result.ts'
import { visibleLength } from '../../src/views/view.ts'
import { texts } from '../words.ts'

const t = texts.for('en')
const tell = (result: TestResult, changes: Partial<ResultText> = {}) =>
  resultMessages(t, { title: 'Test', result, hasReport: true, ...changes })

const many = (count: number): TestResult => ({
  scales: Array.from({ length: count }, (_, index) => ({
    title: `Scale ${index}`,
    score: index,
    interpretation: 'It is calm. '.repeat(9).trim(),
  })),
})

test('a result that fits mentions no rest', async () => {
  const messages = await tell(many(60))
  expect(messages.length).toBeLessThan(6)
  expect(messages.join()).not.toContain(t('result-rest-in-report'))
  expect(messages.at(-1)).toContain(t('result-closing'))
})

test.each([1, 6, 10])(
  'a larger result has at most %i messages, and the last one says where the rest is',
  async (most) => {
    const messages = await tell(many(1_500), { most, supportText: '123. '.repeat(99) })
    expect(messages).toHaveLength(most)
    for (const message of messages) expect(visibleLength(message)).toBeLessThanOrEqual(4_096)
    const last = messages.at(-1) ?? ''
    expect(last.indexOf(t('result-rest-in-report'))).toBeGreaterThan(0)
    expect(last.indexOf(t('result-closing'))).toBeGreaterThan(last.indexOf(t('result-rest-in-report')))
    expect(last).toContain('123.')
  },
)

test('only the sent part of a result is written', async () => {
  let written = 0
  const scales = new Proxy(many(100_000).scales, {
    get(all, name) {
      if (/^\d+$/.test(String(name))) written += 1
      return Reflect.get(all, name)
    },
  })
  expect(await tell({ scales })).toHaveLength(10)
  expect(written).toBeLessThan(500)
})

test('a result that was cut refers to the report, or says that the rest is left out', async () => {
  expect((await tell(many(1), { isCut: true })).join()).toContain(t('result-rest-in-report'))
  const [alone] = await tell(many(1), { isCut: true, hasReport: false })
  expect(alone).toContain(t('result-rest-left-out'))
})

test.each([
  [-0.001, 'score 0'],
  [-1.254, 'score −1.25'],
  [1e300, 'score 1E300'],
])('a score of %d is written as in the picture', async (score, said) => {
  expect(await tell({ scales: [{ title: 'Calm', score }] })).toEqual([expect.stringContaining(said)])
})

test('a long text continues in the next message, cut between sentences', async () => {
  const messages = await tell({ summary: 'This is calm. '.repeat(900), scales: [] })
  expect(messages.length).toBeGreaterThan(3)
  for (const message of messages.slice(0, -1)) expect(message).toMatch(/calm\.(?:<\/blockquote>)?$/)
  expect(messages.join(' ').match(/This is calm\./g)).toHaveLength(900)
})

const SUMMARY =
  'This test asks ten things. It took a while. Calm is the strongest of all. Sleep varies. Sleep needs care. More follows.'
const shown = (message = '') => message.split('<blockquote')[0]

test('a long summary shows three sentences: those that name their subject', async () => {
  const [message] = await tell({ summary: SUMMARY, scales: [] })
  expect(shown(message)).toContain(
    'This test asks ten things. Calm is the strongest of all. Sleep needs care.',
  )
  expect(shown(message)).not.toContain('Sleep varies.')
  expect(message).toContain(SUMMARY)
})

test('a summary without such sentences shows its beginning', async () => {
  const summary = 'One is here. Two is here. Three is here. Four is here.'
  const [message] = await tell({ summary, scales: [] })
  expect(shown(message)).toContain('One is here. Two is here. Three is here.')
  expect(shown(message)).not.toContain('Four')
})

test('a subject with its own part is not taken from the summary', async () => {
  const passages = [{ title: 'Strengths', text: 'You rest well.' }]
  const [message] = await tell({ summary: SUMMARY, passages, scales: [] })
  const [before = ''] = (message ?? '').split('<blockquote')
  expect(before).toContain('This test asks ten things. It took a while. Sleep needs care.')
})
