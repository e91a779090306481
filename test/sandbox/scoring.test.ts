import { describe, expect, test } from 'vitest'
import { catalogue } from '../../tools/sandbox/catalogue/index.ts'
import { products } from '../../tools/sandbox/catalogue/products.ts'
import { defineTest, questionsOf } from '../../tools/sandbox/catalogue/test.ts'
import { score } from '../../tools/sandbox/scoring.ts'
import { answerAll, authenticated, startService } from './service.ts'

const texts = { low: 'کم', middle: 'میانه', high: 'زیاد' }
const small = defineTest({
  id: 'small',
  title: 'کوچک',
  about: 'نمونه.',
  minutes: 1,
  answers: ['نه', 'گاهی', 'بله'],
  sections: [
    {
      title: '',
      items: [
        ['calm', 'آرامم.'],
        ['-calm', 'بی‌قرارم.'],
        ['tense', 'نگرانم.'],
      ],
    },
  ],
  scales: {
    calm: { title: 'آرامش', tone: 'strength', norm: [0.5, 0.25], ...texts },
    tense: { title: 'تنش', tone: 'strain', norm: [0.5, 0.25], ...texts },
  },
})

test('reverse-scored statements count the other way, and percentiles follow the normal curve', () => {
  const [calm, tense] = score(small, ['q1o3', 'q2o1', 'q3o2']).scales
  expect(calm).toMatchObject({ score: 4, percentile: 98, band: 'high' }) // z = 2
  expect(tense).toMatchObject({ score: 1, percentile: 50, band: 'middle' }) // z = 0
  const [uneasy] = score(small, ['q1o1', 'q2o3', 'q3o1']).scales
  expect(uneasy).toMatchObject({ score: 0, percentile: 2, band: 'low' }) // z = -2
  expect(score(small, ['q1o2', 'q2o1', 'q3o1']).scales[0]).toMatchObject({ score: 3, percentile: 84 }) // z = 1
})

test('the texts depend on the answers', () => {
  const well = score(small, ['q1o3', 'q2o1', 'q3o1'])
  const badly = score(small, ['q1o1', 'q2o3', 'q3o3'])
  expect(well.scales[0]?.interpretation).toMatch(/^زیاد .*۹۸/)
  expect(badly.scales[0]?.interpretation).toMatch(/^کم .*۲ نفر/)
  expect(well.summary).toContain('«آرامش»')
  expect(badly.summary).toContain('«تنش»')
  expect(well.summary).not.toContain('«تنش»')
})

test('a finished record gives the scales of the specification and its own report', async () => {
  const service = await startService()
  const low = await authenticated(service, 'life-60', { name: 'سارا', external_id: 1 })
  const high = await authenticated(service, 'life-60', { external_id: 2 })
  await answerAll(service, low, 0)
  await answerAll(service, high, 1)
  const result = async (token: string) => (await service.get(`/record/${token}/result/json/`)).data
  const [one, other] = [await result(low), await result(high)]
  expect(one.scales).toHaveLength(5)
  for (const scale of [...one.scales, ...other.scales])
    expect(scale).toEqual({
      id: expect.any(String),
      title: expect.any(String),
      score: expect.any(Number),
      percentile: expect.any(Number),
      interpretation: expect.any(String),
    })
  expect(one.summary).not.toBe(other.summary)
  expect(one.scales[3].percentile).toBeLessThan(other.scales[3].percentile)

  const { html } = (await service.get(`/record/${low}/result/html/`)).data
  expect(html).toMatch(/^<!DOCTYPE html>\n<html lang="fa" dir="rtl">/)
  for (const text of [
    'زندگی روزمره',
    'سارا',
    '<bdi dir="ltr">PR-1404/00001</bdi>',
    one.scales[0].interpretation,
  ])
    expect(html).toContain(text)
  expect(html).not.toMatch(/https?:|<script|src=|@import|url\(/) // the page loads nothing
})

describe('the catalogue', () => {
  test('covers the lengths and kinds of the demo', () => {
    const length = Object.fromEntries(catalogue.map((item) => [item.id, questionsOf(item).length]))
    expect(length).toMatchObject({
      'mood-7': 7,
      'sleep-20': 20,
      'life-60': 60,
      'traits-120': 120,
      'panorama-567': 567,
    })
    expect(new Set(catalogue.map(({ form }) => form))).toEqual(
      new Set(['sections', 'questions', 'list', 'html']),
    )
    expect(catalogue.some(({ gender }) => gender !== 'both')).toBe(true)
    expect(
      catalogue.find(({ id }) => id === 'choices-10')?.sections[0]?.questions[0]?.options[0]?.label.length,
    ).toBeGreaterThan(60)
  })

  test.each(catalogue)('$id is a well-made sample', (item) => {
    const questions = questionsOf(item)
    expect(item.title).toContain('نمونه')
    expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length)
    expect(new Set(questions.map(({ text }) => text)).size).toBe(questions.length)
    for (const { text, options } of questions) {
      expect(text).toMatch(/^[\u0600-\u06FF«»\u200c .،؛؟!]+$/u)
      expect(options.length).toBeGreaterThan(1)
      expect(new Set(options.map(({ id }) => id)).size).toBe(options.length)
    }
    const keyed = new Set(item.scales.flatMap(({ key }) => [...key.keys()]))
    expect(keyed.size).toBe(questions.length) // every answer counts somewhere
    expect(new Set(item.sections.map(({ id }) => id)).size).toBe(item.sections.length)
  })

  test.each(catalogue)('$id gives different results for different answers', (item) => {
    const answers = (position: number) =>
      questionsOf(item).map(({ options }) => options.at(position)?.id ?? '')
    const [first, last] = [score(item, answers(0)), score(item, answers(-1))]
    expect(first.scales.map(({ score: points }) => points)).not.toEqual(
      last.scales.map(({ score: points }) => points),
    )
    for (const { percentile } of [...first.scales, ...last.scales]) {
      expect(percentile).toBeGreaterThanOrEqual(1)
      expect(percentile).toBeLessThanOrEqual(99)
    }
  })

  test('every role of a product can take its tests', () => {
    const ids = new Map(catalogue.map((item) => [item.id, item]))
    expect(products.map(({ roles, tests }) => [roles.length, tests.length])).toEqual([
      [2, 4],
      [3, 6],
      [1, 3],
    ])
    for (const { roles, tests } of products)
      for (const { testId, role } of tests) {
        const limits = roles.find(({ id }) => id === role)
        const taken = ids.get(testId)
        expect(taken?.minAge).toBeLessThanOrEqual(limits?.minAge ?? 0)
        expect(taken?.gender).toBe('both')
      }
  })
})
