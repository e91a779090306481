import { expect, test } from 'vitest'
import { paginate } from '../../src/pictures/pages.ts'

const rows = (count: number, height = 65) => Array.from({ length: count }, (_, index) => ({ height, index }))

test.each(Array.from({ length: 40 }, (_, index) => index + 1))('%i scales fill pages evenly', (count) => {
  const pages = paginate(rows(count), 1100, 8)
  expect(pages.flat().map(({ index }) => index)).toEqual(rows(count).map(({ index }) => index))
  expect(pages).toHaveLength(Math.ceil(count / 12))
  const sizes = pages.map((page) => page.length)
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
})

test('tall rows need more pages', () => {
  expect(paginate(rows(14, 101), 1100, 8).map((page) => page.length)).toEqual([7, 7])
})

test('a row taller than a page still gets its page', () => {
  expect(paginate(rows(2, 3000), 1100, 8)).toHaveLength(2)
})
