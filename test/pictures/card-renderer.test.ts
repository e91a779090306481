import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { createCardRenderer } from '../../src/pictures/card-renderer.ts'
import { texts } from '../words.ts'

const renderer = createCardRenderer()
const date = new Date('2026-11-20T09:30:00Z')
const record = {
  t: texts.for('fa'),
  title: 'آزمون',
  date,
  note: 'تشخیص بالینی نیست.',
} as const
const scales = (count: number) =>
  Array.from({ length: count }, (_, score) => ({ title: 'مقیاس', score, percentile: 50 }))

test('no card is drawn without a figure to show', async () => {
  expect(await renderer.recordCards({ ...record, scales: [] })).toEqual([])
  expect(await renderer.recordCards({ ...record, scales: [{ title: 'بی‌عدد' }, {}] })).toEqual([])
  const tests = [{ title: 'آزمون', scales: [{ title: 'مقیاس', marks: [{ percentile: 101 }, undefined] }] }]
  expect(await renderer.familyCard({ ...record, people: ['مادر', 'پدر'], tests })).toBeUndefined()
})

test.each([
  [1, 1],
  [12, 1],
  [13, 2],
  [30, 3],
  [40, 4],
])('%i scales are %i pictures of a size that Telegram leaves readable', async (count, expected) => {
  const pictures = await renderer.recordCards({ ...record, caseNumber: 'PR-1', scales: scales(count) })
  expect(pictures).toHaveLength(expected)
  for (const picture of pictures) {
    const { width, height } = PNG.sync.read(picture)
    expect(width).toBe(1080)
    expect(height).toBeLessThanOrEqual(1450)
  }
})

test('a title or note with nothing to draw does not break the card', async () => {
  const odd = { ...record, title: '😀', note: '', scales: scales(2) }
  const [picture] = await renderer.recordCards(odd)
  const [usual] = await renderer.recordCards({ ...record, scales: scales(2) })
  const height = (png?: Buffer) => PNG.sync.read(png ?? Buffer.alloc(0)).height
  expect(height(picture)).toBeLessThan(height(usual))
})

const row = { title: 'مقیاس', marks: Array(9).fill({ score: 12, percentile: 50 }) }

test.each([
  [1, 1, 1],
  [3, 2, 6],
  [6, 4, 5],
  [9, 3_000, 30],
])(
  'a family of %i with %i tests of %i scales is one picture that a phone shows',
  async (many, tests, scales) => {
    const people = Array(many).fill('فرزند نوجوان (امیرعلی)')
    const family = Array(tests).fill({ title: 'آزمون', scales: Array(scales).fill(row) })
    const picture = await renderer.familyCard({ ...record, people, tests: family })
    const { width, height } = PNG.sync.read(picture ?? Buffer.alloc(0))
    expect(width).toBe(1080)
    expect(height).toBeLessThanOrEqual(2000)
  },
)

test('no more cards are drawn than requested, however many scales there are', async () => {
  expect(await renderer.recordCards({ ...record, scales: scales(40_000), most: 1 })).toHaveLength(1)
})

test('the event loop keeps turning while a card is drawn', async () => {
  let turns = 0
  let isDrawing = true
  const count = () => {
    turns++
    if (isDrawing) setImmediate(count)
  }
  setImmediate(count)
  await renderer.recordCards({ ...record, scales: scales(14) })
  isDrawing = false
  expect(turns).toBeGreaterThan(100) // drawing on the loop itself would leave about twenty
})
