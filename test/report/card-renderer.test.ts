import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { createCardRenderer } from '../../src/report/card-renderer.ts'
import { labels } from './labels.ts'

const renderer = createCardRenderer()
const date = new Date('2026-11-20T09:30:00Z')
const record = {
  language: 'fa',
  title: 'آزمون',
  date,
  note: 'تشخیص بالینی نیست.',
  labels: labels.fa,
} as const
const scales = (count: number) =>
  Array.from({ length: count }, (_, score) => ({ title: 'مقیاس', score, percentile: 50 }))

test('nothing is drawn where there is nothing to show', async () => {
  expect(await renderer.recordCards({ ...record, scales: [] })).toEqual([])
  expect(await renderer.recordCards({ ...record, scales: [{ title: 'بی‌عدد' }, { score: null }] })).toEqual([])
  expect(
    await renderer.recordCards({ ...record, scales: [{ score: Number.NaN, percentile: Infinity }] }),
  ).toEqual([])
  expect(
    await renderer.roadmapCards({ ...record, compared: [], sections: [{ title: 'آزمون', scales: [] }] }),
  ).toEqual([])
})

test.each([
  [1, 1],
  [12, 1],
  [13, 2],
  [30, 3],
  [40, 4],
])('%i scales are %i pictures of a size that Telegram leaves readable', async (count, expected) => {
  const name = 'رؤیا مؤمنی‌نژاد'
  const pictures = await renderer.recordCards({ ...record, name, caseNumber: 'PR-1', scales: scales(count) })
  expect(pictures).toHaveLength(expected)
  for (const picture of pictures) {
    const { width, height } = PNG.sync.read(picture)
    expect(width).toBe(1080)
    expect(height).toBeLessThanOrEqual(1450)
  }
})

test('a title or note with nothing to draw does not break the card', async () => {
  const odd = { ...record, title: '😀', note: '', name: '中文', scales: scales(2) }
  const [picture] = await renderer.recordCards(odd)
  const [usual] = await renderer.recordCards({ ...record, scales: scales(2) })
  const height = (png?: Buffer) => PNG.sync.read(png ?? Buffer.alloc(0)).height
  expect(height(picture)).toBeLessThan(height(usual))
})

test('a roadmap has one picture per test that has numbers', async () => {
  const section = { title: 'آزمون', role: 'مادر', scales: scales(3) }
  const sections = [section, { title: 'بی‌مقیاس', scales: [] }, { ...section, scales: scales(20) }]
  expect(await renderer.roadmapCards({ ...record, compared: [], sections })).toHaveLength(3)
})

test('no more is drawn than is wanted, however much there is', async () => {
  let read = 0
  const section = {
    title: 'آزمون',
    get scales() {
      read += 1
      return scales(30)
    },
  }
  expect(await renderer.recordCards({ ...record, scales: scales(40_000), most: 1 })).toHaveLength(1)
  const sections = Array(3_000).fill(section)
  expect(await renderer.roadmapCards({ ...record, compared: [], sections, most: 2 })).toHaveLength(2)
  expect(read).toBeLessThan(10)
})

test('the event loop goes on while a card is drawn', async () => {
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
