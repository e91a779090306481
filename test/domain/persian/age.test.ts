import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ageOn, birthRange } from '../../../src/domain/persian/age.ts'
import { addDays } from '../../../src/domain/persian/calendar.ts'

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
