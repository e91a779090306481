import { describe, expect, test } from 'vitest'
import { parseBirth } from '../../../src/domain/persian/birth.ts'
import { findWord } from '../../../src/domain/persian/birth-words.ts'
import {
  findMonth,
  guessMonth,
  LATIN_MONTHS,
  type NamedMonth,
  PERSIAN_MONTHS,
} from '../../../src/domain/persian/months.ts'

const TODAY = '2026-11-22'
const ALIKE = ['تط', 'سصث', 'زذضظ', 'حه', 'قغ', 'اع', 'ckq', 'sz', 'iy', 'ei', 'vw', 'uo']

const PERSIAN_LETTERS = [...'ابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی']
const LATIN_LETTERS = [...'abcdefghijklmnopqrstuvwxyz']

/** The words that one slip makes of a name: a letter missing, too many, swapped, or another of like sound. */
function slipsOf(name: string): string[] {
  const letters = /[a-z]/.test(name) ? LATIN_LETTERS : PERSIAN_LETTERS
  const slips: string[] = letters.map((letter) => name + letter)
  for (let at = 0; at < name.length; at += 1) {
    const [before, letter = '', after] = [name.slice(0, at), name[at], name.slice(at + 1)]
    slips.push(before + after, ...letters.map((other) => before + other + letter + after))
    if (after) slips.push(before + after[0] + letter + after.slice(1))
    for (const letters of ALIKE)
      if (letters.includes(letter)) slips.push(...[...letters].map((other) => before + other + after))
  }
  return [...new Set(slips)].filter((slip) => slip !== name && slip.length > 1)
}

const same = (one: NamedMonth | undefined, other: NamedMonth) =>
  one?.calendar === other.calendar && one.month === other.month

const names = [...PERSIAN_MONTHS, ...LATIN_MONTHS.filter(([name]) => name.length > 3)]
const slips = new Map(names.map(([name]) => [name, new Set(slipsOf(name))]))

describe.each(names)('%s', (name, month) => {
  test('is read with every single slip, unless that is another word or could be another month', () => {
    for (const slip of slips.get(name) ?? []) {
      const known = findMonth(slip)
      if (known || findWord(slip)) continue
      const guess = guessMonth(slip)
      if (!guess?.isGuess) expect.fail(`${slip} is no guess`)
      const others = names.filter(([other, each]) => !same(each, month) && slips.get(other)?.has(slip))
      if (others.length === 0 && !same(guess, month)) expect.fail(`${slip} is another month`)
    }
  })
})

test.each([
  ['12 خراد 1375', '1996-06-01'],
  ['12 خردداد 1375', '1996-06-01'],
  ['3 خورداد 1372', '1993-05-24'],
  ['3 خوردادماه 1372', '1993-05-24'],
  ['3 خردااد 1372', '1993-05-24'],
  ['3 خرداند 1372', '1993-05-24'],
  ['3 مهتر 1372', '1993-09-25'],
  ['3 دیر 1372', '1993-12-24'],
  ['۳ آگووست ۱۹۹۳', '1993-08-03'],
  ['3 Augusst 1993', '1993-08-03'],
  ['12 اردبیهشت 1375', '1996-05-01'],
  ['12 اردی بهش 1375', '1996-05-01'],
  ['۱۲ شهریر ماه ۱۳۷۵', '1996-09-02'],
  ['12 محر 1375', '1996-10-03'],
  ['12 مهرر 1375', '1996-10-03'],
  ['3 Agust 1996', '1996-08-03'],
  ['3 Septmber 1996', '1996-09-03'],
  ['12 khordd 1375', '1996-06-01'],
])('the month in «%s» is a guess', (text, iso) => {
  expect(parseBirth(text, { today: TODAY })).toMatchObject({ ok: true, iso, assumed: ['month'] })
})

test.each(['12 سلام 1375', '12 کتاب 1375', '12 xyz 1375', '12 مرد 1375'])('«%s» has no month', (text) => {
  expect(parseBirth(text, { today: TODAY })).toMatchObject({ ok: false })
})

test.each(['12 خرداد 1375', '12 مرداد 75', '3 August 1996'])('the month in «%s» is not a guess', (text) => {
  const read = parseBirth(text, { today: TODAY })
  expect(read.ok && read.assumed).not.toContain('month')
})

test('the name of a month is not a slip, and a single letter is not either', () => {
  expect([guessMonth('اسفند'), guessMonth('د')]).toEqual([undefined, undefined])
  expect(findMonth('mah')).toBeUndefined()
})
