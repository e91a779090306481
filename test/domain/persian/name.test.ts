import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isFoldedName, isSameName, parseName } from '../../../src/domain/persian/name.ts'
import { cases } from './cases.ts'

type Valid = { input: string; name: string; reason: string }
type Invalid = { input: string; error: string; bad?: string; reason: string }
const table = cases<{ valid: Valid[]; invalid: Invalid[] }>('names')

const keep = { hamza: 'keep' } as const
const fold = { hamza: 'fold' } as const

test.each(table.valid)('$input: $reason', ({ input, name }) => {
  expect(parseName(input, keep)).toEqual({ ok: true, name })
})

test.each(table.invalid)('$input is refused: $reason', ({ input, error, bad = '' }) => {
  expect(parseName(input, keep)).toEqual({ ok: false, error, bad })
})

describe('folding', () => {
  test.each([
    ['فاطمة الزهرا', 'فاطمه الزهرا'],
    ['فاطمة\u200cالزهرا', 'فاطمه الزهرا'],
    ['قدرةالله', 'قدرتالله'],
    ['نیک\u200c\u200cنام\u200c', 'نیک نام'],
    ['نیک\u200c أحمدی', 'نیک احمدی'],
    ['سمیه\u200cأحمدی', 'سمیه احمدی'],
    ['ٱمیر إسحاق', 'امیر اسحاق'],
    ['مسی\u0654ول', 'مسئول'],
    ['عبدﷲ', 'عبدالله'],
    ['محمـــد', 'محمد'],
  ])('%s becomes %s', (input, name) => {
    expect(parseName(input, keep)).toEqual({ ok: true, name })
  })

  test.each([
    ['رؤیا رأفت', 'رویا رافت'],
    ['ابراهیم رئیسی', 'ابراهیم رییسی'],
    ['عطاءالله ء', 'عطاالله'],
    ['آیدا', 'آیدا'],
  ])('without hamza %s becomes %s', (input, name) => {
    expect(parseName(input, fold)).toEqual({ ok: true, name })
  })
})

describe('the characters that a name cannot have are shown back', () => {
  test.each([
    ['', 'empty', ''],
    ['م', 'too_short', ''],
    ['علیییی', 'repeated', ''],
    ['علی۲!', 'digit', '۲!'],
    ['Ali رضا ۲', 'latin', 'Ali۲'],
    ['علی ۱😊', 'digit', '۱😊'],
    ['سارا 🇮🇷', 'emoji', '🇮🇷'],
    ['حسین (ع)', 'punctuation', '()'],
    ['گوڵ', 'foreign_letter', 'ڵ'],
  ])('%s: %s', (input, error, bad) => {
    expect(parseName(input, keep)).toEqual({ ok: false, error, bad })
  })

  test('a name can become too short without hamza', () => {
    expect(parseName('ءم', fold)).toEqual({ ok: false, error: 'too_short', bad: '' })
  })
})

const typedName = fc.string({
  unit: fc.constantFrom(...'ءآأؤئإٱابپةتيىیكکهەھہۀےنملسـ \u200c\u200d\u0654\u0651\u064e\u0670¬\u200f'),
  maxLength: 30,
})

test('an accepted name has up to 50 Persian letters and single spaces, and stays as it is when folded', () => {
  for (const options of [keep, fold]) {
    fc.assert(
      fc.property(typedName, (text) => {
        const parsed = parseName(text, options)
        if (!parsed.ok) return
        expect(parsed.name).toMatch(/^[ءآأؤئابپتنملسهویک]+(?: [ءآأؤئابپتنملسهویک]+)*$/)
        expect([...parsed.name].length).toBeLessThanOrEqual(50)
        expect(parseName(parsed.name, options)).toEqual(parsed)
      }),
      { numRuns: 1500 },
    )
  }
})

test('no visible character disappears: it is in the name or among the refused ones', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ابپ ۱2A.❤ڤ') }), (text) => {
      const parsed = parseName(text, keep)
      const strangers = new Set([...text].filter((character) => !'ابپ '.includes(character)))
      if (strangers.size > 0) expect(parsed).toMatchObject({ ok: false, bad: [...strangers].join('') })
    }),
  )
})

test.each([
  ['سارا راد', true],
  ['سارا  راد', false],
  ['س', false],
  ['Sara', false],
])('%j is a name as kept: %s', (text, isSo) => {
  expect(isFoldedName(text)).toBe(isSo)
})

test.each([
  ['رؤیا', 'رویا', true],
  ['محمد رضا', 'محمدرضا', true],
  ['سارا', 'زهرا', false],
])('%s and %s are the same name: %s', (one, other, isSo) => {
  expect(isSameName(one, other)).toBe(isSo)
})

test.each([
  [50, true],
  [51, false],
])('a name of %d letters is accepted: %s', (length, isSo) => {
  expect(parseName('بت'.repeat(26).slice(0, length), keep).ok).toBe(isSo)
})
