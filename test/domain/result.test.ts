import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readResult, saysSomething } from '../../src/domain/result.ts'
import { cardLabels, readScales } from '../../src/pictures/card.ts'
import { endpoints } from '../../src/service/endpoints.ts'
import { resultMessages } from '../../src/views/result.ts'
import { texts } from '../words.ts'

const t = texts.for('en')

/** The way of a result, from the service's `data` to the message and the picture. */
async function shown(data: unknown) {
  const result = readResult(endpoints.recordResultJson.data.parse(data))
  const ending = { hasReport: true }
  const messages = await resultMessages(t, { title: 'Test', result, ...ending })
  const onCard = readScales(result.scales, cardLabels(t))
  return { result, messages, onCard }
}

test('a scale without a title is shown under a generic name', async () => {
  const { messages, onCard } = await shown({
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
  ['a score that is a word', { score: 'high' }, { passages: ['high'] }],
  ['an empty score', { score: '' }, {}],
  ['no percentile', { score: 3, percentile: null }, { score: 3 }],
  ['a percentile beyond the end', { percentile: '104.2' }, { percentile: 104.2 }],
  ['fields of a later version', { score: 3, band: { low: 1 }, norm: [1, 2] }, { score: 3 }],
  ['a title that is no text', { title: 9, score: 3 }, { title: undefined, score: 3 }],
  ['a maximum', { score: 3, max_score: 24, usual_range: [1, 5] }, { score: 3 }],
  ['a severity', { percentile: 91, severity: 'moderate' }, { percentile: 91, passages: ['moderate'] }],
  ['a polarity', { score: 3, polarity: 'negative' }, { score: 3, passages: ['negative'] }],
  [
    'a level with a title and a colour',
    { band: { title: 'شدید', color: '#ff0000' } },
    { passages: ['شدید'] },
  ],
  ['an advice', { advice: { title: 'Rest', text: 'Sleep early.' } }, { passages: ['Rest: Sleep early.'] }],
  ['identifiers, times, addresses', { token: 'x', at: '2026-01-01T10:00Z', link: 'https://e.org/a' }, {}],
  ['words with space around', { interpretation: ' calm\n' }, { interpretation: 'calm' }],
  ['words between < and >', { interpretation: 'K<F و F>L' }, { interpretation: 'K<F و F>L' }],
  [
    'entities',
    { interpretation: '<p>می&zwnj;شود &laquo;آرام&raquo;</p>' },
    { interpretation: 'می‌شود «آرام»' },
  ],
  ['lines', { interpretation: 'a\n\n<b>b</b>\nc<br>d' }, { interpretation: 'a\n\nb\nc\nd' }],
  [
    'lines with comparisons',
    { interpretation: '<b>T</b>\nT > 70: high\nx<y و y>z\nT <b of all' },
    { interpretation: 'T\nT > 70: high\nx<y و y>z\nT <b of all' },
  ],
  ['a tag of two lines', { interpretation: '<p\nclass="x">calm</p>' }, { interpretation: 'calm' }],
  ['tags without end', { interpretation: '<b>'.repeat(999) }, { interpretation: '<b>'.repeat(999) }],
  ['words with tags', { interpretation: '<p>calm</p><p>a < b</p>' }, { interpretation: 'calm\na < b' }],
])('%s is read', async (_, fields, expected) => {
  expect((await shown({ scales: [{ title: 'Warmth', ...fields }] })).result).toEqual({
    scales: [{ title: 'Warmth', ...expected }],
  })
})

test('an entry that is not a scale is left out, and the others stay', async () => {
  const { result } = await shown({
    scales: ['x', null, {}, [], { id: 1 }, { title: 'Warmth' }],
    summary: ' Calm. ',
  })
  expect(result).toEqual({ summary: 'Calm.', passages: [{ text: 'x' }], scales: [{ title: 'Warmth' }] })
})

test.each([{}, { scales: null, summary: null }, { scales: {}, summary: 5 }, { result: { scales: [] } }])(
  '%j is read as an empty result',
  async (data) => {
    const { result, messages, onCard } = await shown(data)
    expect(result).toEqual({ scales: [] })
    expect(messages).toHaveLength(1)
    expect(onCard).toEqual([])
    expect(saysSomething(data)).toBe(false)
  },
)

test.each([
  { summary: 'Calm.' },
  { conclusion: { text: 'Calm.' } },
  { scales: [{ title: 'Warmth', score: 1 }] },
  { result: { scales: [{ title: 'Warmth', score: 1 }] } },
])('%j has content', (data) => {
  expect(saysSomething(data)).toBe(true)
})

test.each([{ scales: [{ score: 1 }] }, { status: 'ok', token: 'x', html: '<p>x</p>' }])(
  '%j has no content',
  (data) => {
    expect(saysSomething(data)).toBe(false)
  },
)

test('a severity is shown in the words of the service, and nothing is added', async () => {
  const { onCard, messages } = await shown({
    scales: [
      { title: 'Sorrow', score: 19, percentile: 91, severity: 'moderate', polarity: 'negative', max: 24 },
    ],
  })
  expect(messages.join()).toContain('<b>Sorrow</b>: score 19, percentile 91\n')
  expect(messages.join()).toContain('>moderate\nnegative<')
  expect(messages.join()).not.toMatch(/usual|24/)
  expect(onCard).toEqual([{ title: 'Sorrow', score: 19, percentile: 91 }])
})

test('texts under unknown names are shown under their headings', async () => {
  const { messages } = await shown({
    conclusion: 'All is well.',
    sections: [{ title: 'Strengths', text: 'You listen.', tips: ['Go on.', 'Rest.'] }],
    recommendations: [{ title: 'Walk daily' }],
    scales: [{ title: 'Warmth', score: 3 }],
  })
  const [message = ''] = messages
  const words = ['All is well.', '<b>Strengths</b>\nYou listen.\n\nGo on.\n\nRest.', 'Walk daily', 'Warmth']
  const places = words.map((each) => message.indexOf(each))
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test('no result makes the reading fail', async () => {
  const fields = fc.record(
    {
      id: fc.jsonValue(),
      title: fc.jsonValue(),
      score: fc.jsonValue(),
      percentile: fc.jsonValue(),
      interpretation: fc.jsonValue(),
      level: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  const scales = fc.oneof(fc.jsonValue(), fc.array(fc.oneof(fields, fc.jsonValue())))
  await fc.assert(
    fc.asyncProperty(fc.record({ scales, summary: fc.jsonValue() }, { requiredKeys: [] }), async (data) => {
      const { messages, onCard } = await shown(data)
      expect(messages.length).toBeGreaterThan(0)
      for (const { title, percentile = 0 } of onCard) {
        expect(title).not.toBe('')
        expect(percentile >= 0 && percentile <= 100).toBe(true)
      }
    }),
  )
})
