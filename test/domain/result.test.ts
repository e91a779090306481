import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readResult } from '../../src/domain/result.ts'
import { readScales } from '../../src/report/sheet.ts'
import { endpoints } from '../../src/service/endpoints.ts'
import { loadTexts } from '../../src/texts/texts.ts'
import { cardLabels } from '../../src/views/card-labels.ts'
import { resultMessages } from '../../src/views/result.ts'

const t = loadTexts().for('en')

/** The way of a result, from the service's `data` to the message and the picture. */
function shown(data: unknown) {
  const result = readResult(endpoints.recordResultJson.data.parse(data))
  const messages = resultMessages(t, { title: 'Test', result, organizerContact: '021' })
  const onCard = readScales(result.scales, cardLabels(t), (text) => text)
  return { result, messages, onCard }
}

test('a scale without a title is shown under a name of ours', () => {
  const { messages, onCard } = shown({
    scales: [
      { title: 'Warmth', score: 1 },
      { id: 7, score: 3 },
    ],
  })
  expect(messages.join('\n')).toMatch(/<b>Scale<\/b>.*3/)
  expect(onCard).toEqual([
    { title: 'Warmth', score: 1, percentile: undefined },
    { title: 'Scale 2', score: 3, percentile: undefined },
  ])
})

test.each<[string, object, object]>([
  ['a score as a decimal text', { score: '12.50' }, { score: 12.5 }],
  ['a score as a text with spaces', { score: ' -3 ' }, { score: -3 }],
  ['a score that is none', { score: 'high' }, {}],
  ['an empty score', { score: '' }, {}],
  ['no percentile', { score: 3, percentile: null }, { score: 3 }],
  ['a percentile beyond the end', { percentile: '104.2' }, { percentile: 100 }],
  ['fields of a later version', { score: 3, band: { low: 1 }, norm: [1, 2] }, { score: 3 }],
  ['a title that is no text', { title: 9, score: 3 }, { title: undefined, score: 3 }],
  ['words with space around', { interpretation: ' calm\n' }, { interpretation: 'calm' }],
])('%s is read', (_, fields, expected) => {
  expect(shown({ scales: [{ title: 'Warmth', ...fields }] }).result).toEqual({
    scales: [{ title: 'Warmth', ...expected }],
  })
})

test('what is no scale is left out, and the others stay', () => {
  const { result } = shown({
    scales: ['x', null, {}, [], { id: 1 }, { title: 'Warmth' }],
    summary: ' Calm. ',
  })
  expect(result).toEqual({ summary: 'Calm.', scales: [{ title: 'Warmth' }] })
})

test.each([{}, { scales: null, summary: null }, { scales: {}, summary: 5 }, { result: { scales: [] } }])(
  'of %j nothing is understood, and there is a message all the same',
  (data) => {
    const { result, messages, onCard } = shown(data)
    expect(result).toEqual({ scales: [] })
    expect(messages).toHaveLength(1)
    expect(onCard).toEqual([])
  },
)

test('no result breaks it', () => {
  const fields = fc.record(
    {
      id: fc.jsonValue(),
      title: fc.jsonValue(),
      score: fc.jsonValue(),
      percentile: fc.jsonValue(),
      interpretation: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  const scales = fc.oneof(fc.jsonValue(), fc.array(fc.oneof(fields, fc.jsonValue())))
  fc.assert(
    fc.property(fc.record({ scales, summary: fc.jsonValue() }, { requiredKeys: [] }), (data) => {
      const { messages, onCard } = shown(data)
      expect(messages.length).toBeGreaterThan(0)
      for (const { title, percentile = 0 } of onCard) {
        expect(title).not.toBe('')
        expect(percentile >= 0 && percentile <= 100).toBe(true)
      }
    }),
  )
})
