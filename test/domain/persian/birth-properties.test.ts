import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ageOn } from '../../../src/domain/persian/age.ts'
import { parseBirth } from '../../../src/domain/persian/birth.ts'
import { toPersianDigits } from '../../../src/domain/persian/clean.ts'
import { type IcuDay, icuDays } from './icu-days.ts'

const today = '2026-11-20'

const isoOf = (text: string) => {
  const parsed = parseBirth(text, { today })
  return parsed.ok ? parsed.iso : parsed.error
}

const two = (number: number) => String(number).padStart(2, '0')

/** The numeric spellings that read a full Jalali date in one way only. */
const spellings: readonly ((day: IcuDay) => string)[] = [
  ...['/', '-', '.', '_', ' ', ',', '،', '٫', 'ـ', '–', '\\', ':', ' / '].map(
    (mark) =>
      ({ year, month, day }: IcuDay) =>
        [year, month, day].join(mark),
  ),
  ({ year, month, day }) => toPersianDigits(`${year}/${two(month)}/${two(day)}`),
  ({ year, month, day }) => `${day}/${month}/${year}`,
  ({ year, month, day }) => `${two(day)}-${two(month)}-${year}`,
  ({ year, month, day }) => `${year}${two(month)}${two(day)}`,
  ({ year, month, day }) => `${two(day)}${two(month)}${year}`,
  ({ year, month, day }) => `${year >= 1301 && year <= 1357 ? year + 1180 : year}/${month}/${day} شمسی`,
  ({ iso }) => iso,
]

test('every Jalali day from 1300 until today is read as ICU has it, in all numeric spellings', () => {
  const lived = icuDays(1300, 1405).filter(({ iso }) => iso <= today)
  expect(lived.length).toBeGreaterThan(38_000)
  const wrong = lived.flatMap((day, index) => {
    // The spellings change from day to day, so within months each has met every day of the month.
    const texts = [spellings[index % spellings.length], spellings[(index * 7 + 3) % spellings.length]]
    return texts.map((spell) => spell?.(day) ?? '').filter((text) => isoOf(text) !== day.iso)
  })
  expect(wrong).toEqual([])
})

test('a day is read in every spelling', () => {
  const lived = icuDays(1330, 1404)
  fc.assert(
    fc.property(fc.constantFrom(...lived), (day) => {
      for (const spell of spellings) expect(isoOf(spell(day))).toBe(day.iso)
    }),
    { numRuns: 300 },
  )
})

test('an accepted date is a real day, not in the future, of a person 120 years old at most', () => {
  const part = fc.oneof(
    fc.nat(2600).map(String),
    fc.nat(40).map(String),
    fc.constantFrom(
      'مرداد',
      'Aug',
      'م',
      'ام',
      'سال',
      'و',
      'سی',
      'هزار',
      'اول',
      'شمسی',
      'ماه',
      '00',
      'day',
      'ساله',
    ),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), fc.constantFrom('/', ' ', '-', ''), (parts, between) => {
      const parsed = parseBirth(parts.join(between), { today })
      const dates = parsed.ok ? [parsed.iso] : (parsed.candidates ?? [])
      for (const iso of dates) {
        expect(new Date(`${iso}T00:00:00Z`).toISOString().slice(0, 10)).toBe(iso)
        expect(iso <= today && ageOn(iso, today) <= 120).toBe(true)
      }
      if (!parsed.ok && parsed.candidates) expect(new Set(dates).size).toBeGreaterThan(1)
    }),
    { numRuns: 5000 },
  )
})

test('no text makes the reading fail or hang', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => void parseBirth(text, { today })),
  )
  // A backtracking pattern would never end here.
  for (const unit of ['یکهزار', 'چهارصد', 'ی', 'ا ', '1', '98', 'م '])
    parseBirth(`${unit.repeat(1000)}x`, { today })
  for (const unit of ['یکهزار', 'چهارصد', 'ی', 'ا ', 'م ']) parseBirth(`${unit.repeat(30)}x`, { today })
})
