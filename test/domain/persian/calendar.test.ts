import { expect, test } from 'vitest'
import {
  formatBirth,
  fromJalali,
  isGregorianDay,
  isJalaliDay,
  monthName,
  numberIn,
  tehranToday,
  toJalali,
} from '../../../src/domain/persian/calendar.ts'
import { icuDays } from './icu-days.ts'

test('every Jalali day of 1300–1500 is converted as by ICU, both ways', () => {
  const days = icuDays(1300, 1500)
  expect(days).toHaveLength(73_414)
  const wrong = days.filter(({ iso, year, month, day }) => {
    const back = toJalali(iso)
    const same = back.year === year && back.month === month && back.day === day
    return !same || fromJalali(year, month, day) !== iso || !isJalaliDay(year, month, day)
  })
  expect(wrong).toEqual([])
})

test.each([
  [1374, 12, 30],
  [1375, 7, 31],
  [1375, 0, 1],
  [1375, 13, 1],
  [1375, 5, 12.5],
])('%d/%d/%d is not a Jalali day', (year, month, day) => {
  expect(isJalaliDay(year, month, day)).toBe(false)
})

test.each([
  [1900, 2, 29, false],
  [2000, 2, 29, true],
  [1996, 4, 31, false],
  [1996, 13, 1, false],
  [1996, 1.5, 1, false],
])('%d-%d-%d is a Gregorian day: %s', (year, month, day, exists) => {
  expect(isGregorianDay(year, month, day)).toBe(exists)
})

test('a birth date is shown in the own calendar and in the other, in any time zone', () => {
  expect(formatBirth('1996-08-02', 'fa')).toEqual({ own: '۱۲ مرداد ۱۳۷۵', other: '۱۹۹۶/۰۸/۰۲' })
  expect(formatBirth('1996-08-02', 'en')).toEqual({ own: '2 August 1996', other: '1375/05/12' })
})

test.each([
  ['2026-11-20T20:29:59Z', '2026-11-20'],
  ['2026-11-20T20:30:00Z', '2026-11-21'], // midnight in Tehran, +03:30
  ['2026-01-01T00:00:00Z', '2026-01-01'],
])('at %s it is %s in Tehran', (moment, day) => {
  expect(tehranToday(Date.parse(moment))).toBe(day)
})

test('months have their names in either calendar, and numbers have no grouping', () => {
  const names = (calendar: 'jalali' | 'gregorian') =>
    Array.from({ length: 12 }, (_, at) => monthName('en', calendar, at + 1).slice(0, 3)).join(' ')
  expect(names('gregorian')).toBe('Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec')
  expect(names('jalali')).toBe('Far Ord Kho Tir Mor Sha Meh Aba Aza Dey Bah Esf')
  expect([numberIn('en', 1375), numberIn('fa', 1375)]).toEqual(['1375', '۱۳۷۵'])
})
