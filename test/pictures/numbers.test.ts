import { expect, test } from 'vitest'
import { formatDay, formatNumber } from '../../src/pictures/text.ts'

test.each([
  [0, '۰', '0'],
  [-0.001, '۰', '0'],
  [-1.5, '−۱٫۵', '−1.5'],
  [41.256, '۴۱٫۲۶', '41.26'],
  [12345.6, '۱۲۳۴۵٫۶', '12345.6'],
  [-1.5e21, '−۱٫۵×۱۰^۲۱', '−1.5E21'],
])('%d is written in the digits of each language', (value, fa, en) => {
  expect(formatNumber('fa', value)).toBe(fa)
  expect(formatNumber('en', value)).toBe(en)
})

test('a day is the day in Tehran', () => {
  const lateOnLastDayOfYear = new Date('2026-03-20T20:45:00Z')
  expect(formatDay('fa', lateOnLastDayOfYear)).toBe('۱ فروردین ۱۴۰۵')
  expect(formatDay('en', lateOnLastDayOfYear)).toBe('21 March 2026')
})
