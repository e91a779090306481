import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDays,
  ageOn,
  birthRange,
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

describe('age', () => {
  test.each([
    ['2008-11-20', 18],
    ['2008-11-21', 17],
    ['2026-11-20', 0],
    ['1906-11-20', 120],
  ])('of a person born on %s', (iso, age) => {
    expect(ageOn(iso, '2026-11-20')).toBe(age)
  })

  test('a person born on 29 February is a year older on 1 March of a common year', () => {
    expect(ageOn('2008-02-29', '2026-02-28')).toBe(17)
    expect(ageOn('2008-02-29', '2026-03-01')).toBe(18)
  })
})

test('the birth range of 18–65 years has its first and last day', () => {
  expect(birthRange(18, 65, '2026-11-20')).toEqual({ first: '1960-11-21', last: '2008-11-20' })
  expect(birthRange(null, null, '2026-11-20')).toEqual({ first: '1905-11-21', last: '2026-11-20' })
})

test('a birth range holds exactly the days whose age is admitted, on leap days too', () => {
  const someDay = fc.date({ min: new Date('2000-01-01'), max: new Date('2060-12-31'), noInvalidDate: true })
  const today = fc.oneof(
    someDay.map((date) => date.toISOString().slice(0, 10)),
    fc.constantFrom('2024-02-29', '2023-02-28', '2024-03-01', '2100-02-28'),
  )
  fc.assert(
    fc.property(today, fc.nat(60), fc.nat(60), (day, minAge, more) => {
      const maxAge = minAge + more
      const { first, last } = birthRange(minAge, maxAge, day)
      expect([ageOn(first, day), ageOn(last, day)]).toEqual([maxAge, minAge])
      expect([ageOn(addDays(first, -1), day), ageOn(addDays(last, 1), day)]).toEqual([maxAge + 1, minAge - 1])
    }),
    { numRuns: 500 },
  )
})

test('months have their names in either calendar, and numbers have no grouping', () => {
  const names = (calendar: 'jalali' | 'gregorian') =>
    Array.from({ length: 12 }, (_, at) => monthName('en', calendar, at + 1).slice(0, 3)).join(' ')
  expect(names('gregorian')).toBe('Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec')
  expect(names('jalali')).toBe('Far Ord Kho Tir Mor Sha Meh Aba Aza Dey Bah Esf')
  expect([numberIn('en', 1375), numberIn('fa', 1375)]).toEqual(['1375', '۱۳۷۵'])
})
