import { expect, test } from 'vitest'
import { drawFamily } from '../../src/pictures/family.ts'
import { createFitter } from '../../src/pictures/fit.ts'
import { bundledFonts } from '../../src/pictures/fonts.ts'
import { drawPages } from '../../src/pictures/pages.ts'
import { labels } from './labels.ts'

const mark = { percentile: 50 }
const fitter = createFitter(bundledFonts())

async function draw(count: number, title = 'افسردگی', note = 'این نمودار تشخیص بالینی نیست.') {
  const pages = await drawPages(
    {
      language: 'fa',
      title: 'نتیجهٔ آزمون',
      fact: { label: 'شمارهٔ پرونده', value: 'PR-1' },
      day: '۲۹ آبان ۱۴۰۵',
      scales: Array.from({ length: count }, (_, score) => ({ ...mark, title, score })),
      note,
      labels,
    },
    fitter,
  )
  return pages.map((svg) => {
    const attribute = (name: string) => Number(new RegExp(` ${name}="([\\d.]+)`).exec(svg)?.[1])
    const zoom = 1080 / Number(/viewBox="0 0 ([\d.]+)/.exec(svg)?.[1])
    const sizes = Array.from(svg.matchAll(/font-size="([\d.]+)"/g), ([, size]) => Number(size) * zoom)
    return { svg, zoom, height: attribute('height'), smallest: Math.min(...sizes) }
  })
}

test.each(Array.from({ length: 12 }, (_, index) => index + 1))(
  '%i scales can be read on a phone',
  async (count) => {
    const pages = await draw(count)
    expect(pages).toHaveLength(1)
    for (const { zoom, height, smallest } of pages) {
      expect(smallest).toBeGreaterThanOrEqual(24)
      expect(height).toBeLessThanOrEqual(1450)
      if (count <= 5) expect(zoom).toBeCloseTo(1.3)
    }
  },
)

test('a title that is too long at every size does not keep the picture small', async () => {
  const [page] = await draw(2, 'بیم '.repeat(90))
  expect(page?.svg).toContain('…')
  expect(page?.zoom).toBeCloseTo(1.3)
})

test('a long note stays complete beside the page mark', async () => {
  const note =
    'پرسش‌های خود را با مرکز مشاوره در میان بگذارید و اگر حالتان خوب نیست با ۱۴۸۰ تماس بگیرید. '.repeat(2)
  const pages = await draw(20, 'افسردگی', note.trim())
  expect(pages).toHaveLength(2)
  for (const { svg } of pages) expect(svg).not.toContain('…')
})

/** The texts of a family's picture, part by part. */
async function wordsOfFamily(people: readonly string[], percentiles: readonly number[] = []) {
  const marks = people.map((_, index) => ({ score: 7, percentile: percentiles[index] ?? 50 }))
  const tests = [{ title: 'آزمون', scales: [{ title: 'مقیاس', marks }] }]
  const card = {
    language: 'fa',
    title: 'خانواده',
    day: '۲۹ آبان ۱۴۰۵',
    note: '',
    labels,
    isCut: false,
  } as const
  const svg = await drawFamily({ ...card, people, tests }, fitter)
  return Array.from(svg.matchAll(/>([^<>]+)<\/text>/g), ([, text = '']) =>
    text.replace(/[\u2066-\u2069]/g, ''),
  )
}

test('no name of a family is broken or cut while it can be read', async () => {
  const people = [
    'پدر (عبدالحسین)',
    'مادربزرگ (خدیجه‌سلطان)',
    'فرزند (نگار)',
    'Guardian (Anne-Marie)',
    'دایی',
    'خاله',
  ]
  const words = await wordsOfFamily(people, [0.4, 99.6, 0, 100, 1, 99])
  expect(words).toEqual(
    expect.arrayContaining(['عبدالحسین', 'خدیجه\u200c', 'سلطان', 'فرزند (نگار)', 'Anne-', 'Marie']),
  )
  expect(words.filter((text) => /^[۰-۹]+$/.test(text) && text !== '۷')).toEqual([
    '۱',
    '۹۹',
    '۰',
    '۱۰۰',
    '۱',
    '۹۹',
  ])
})

test('two members of a family with one name can be told apart', async () => {
  const people = ['پدربزرگ (عبدالحسین)', 'برادرزاده (عبدالحسین)', 'فرزند (نگار)', 'مادر', 'دایی', 'خاله']
  expect((await wordsOfFamily(people)).filter((text) => text === 'عبدالحسین')).not.toHaveLength(2)
})
