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
  expect(onCard).toMatchObject([
    { title: 'Warmth', score: 1, percentile: undefined, standing: '', asksForCare: false },
    { title: 'Scale 2', score: 3, percentile: undefined, standing: '', asksForCare: false },
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
  ['a maximum under another name', { score: 3, max_score: '۲۴' }, { score: 3, max: 24 }],
  ['the least and the most', { score: 3, minimum: 1, maximum: 5 }, { score: 3, min: 1, max: 5 }],
  ['a maximum below the score', { score: 30, max: 20 }, { score: 30 }],
  [
    'a range beside a maximum',
    { score: 3, max: 20, range: [5, 9] },
    { score: 3, max: 20, usual: { low: 5, high: 9 } },
  ],
  ['a range as wide as the maximum', { score: 3, max: 20, range: [0, 20] }, { score: 3, max: 20 }],
  [
    'a range that the score lies in',
    { score: 30, range: { min: 20, max: 80 } },
    { score: 30, min: 20, max: 80 },
  ],
  ['a range that it lies out of', { score: 3, range: '5-9' }, { score: 3, usual: { low: 5, high: 9 } }],
  ['a usual range in words', { normal_range: '۸ تا ۱۶' }, { usual: { low: 8, high: 16 } }],
  ['a usual range with names', { usual: { from: '1', to: 4.5 } }, { usual: { low: 1, high: 4.5 } }],
  ['a usual range that is none', { usual: [9, 1], normal: 'yes' }, {}],
  ['a polarity', { polarity: 'Negative' }, { polarity: 'unfavourable' }],
  ['a direction', { direction: 'higher is better' }, { polarity: 'favourable' }],
  ['a direction as a yes', { higherIsBetter: false }, { polarity: 'unfavourable' }],
  ['a sign', { polarity: '+1' }, { polarity: 'favourable' }],
  ['a tone', { tone: 'style' }, { polarity: 'neutral' }],
  ['a polarity that nobody knows', { polarity: 'purple' }, {}],
  ['a level in a common word', { level: 'very-high' }, { level: { place: 'above' } }],
  ['a level in Persian', { level: 'خیلی پایین' }, { level: { place: 'below', words: 'خیلی پایین' } }],
  ['a level with a title', { band: { title: 'شدید' } }, { level: { words: 'شدید' } }],
  ['a level as long as a text', { level: 'word '.repeat(20) }, {}],
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

test.each<[string, object, { standing: string; asksForCare: boolean }]>([
  [
    'much of a strain',
    { polarity: 'negative', score: 12 },
    { standing: 'above the usual', asksForCare: true },
  ],
  [
    'little of a strain',
    { polarity: 'negative', score: 3 },
    { standing: 'below the usual', asksForCare: false },
  ],
  [
    'little of a strength',
    { polarity: 'positive', score: 3 },
    { standing: 'below the usual', asksForCare: true },
  ],
  [
    'much of a strength',
    { polarity: 'positive', score: 12 },
    { standing: 'above the usual', asksForCare: false },
  ],
  ['a usual strain', { polarity: 'negative', score: 9 }, { standing: 'as usual', asksForCare: false }],
  [
    'much of a style',
    { polarity: 'neutral', score: 12 },
    { standing: 'above the usual', asksForCare: false },
  ],
  [
    'a level of its own',
    { polarity: 'negative', level: 'high', score: 7 },
    { standing: 'above the usual', asksForCare: true },
  ],
  ['a level in words', { level: 'severe', score: 7 }, { standing: 'severe', asksForCare: false }],
])('what the result says of a score is said, and no more: %s', (_, fields, expected) => {
  const { onCard, messages } = shown({ scales: [{ title: 'Warmth', max: 20, usual: [5, 9], ...fields }] })
  expect(onCard).toMatchObject([expected])
  expect(messages.join()).toContain(`of 20, ${expected.standing}`)
})

test('a percentile alone claims nothing', () => {
  const { onCard } = shown({ scales: [{ title: 'Sorrow', score: 99, percentile: 99, polarity: 'negative' }] })
  expect(onCard).toMatchObject([{ standing: '', asksForCare: false, favourable: 'low', span: undefined }])
})

test('no result breaks it', () => {
  const fields = fc.record(
    {
      id: fc.jsonValue(),
      title: fc.jsonValue(),
      score: fc.jsonValue(),
      percentile: fc.jsonValue(),
      interpretation: fc.jsonValue(),
      level: fc.jsonValue(),
      polarity: fc.jsonValue(),
      usual: fc.jsonValue(),
      range: fc.jsonValue(),
      max: fc.jsonValue(),
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
