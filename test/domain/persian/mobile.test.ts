import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toPersianDigits } from '../../../src/domain/persian/clean.ts'
import { parseMobile } from '../../../src/domain/persian/mobile.ts'
import { cases } from './cases.ts'

type Case = { id: number; input: string; mobile?: string; unusual?: boolean; error?: string; note: string }

test.each(cases<{ cases: Case[] }>('mobile').cases)(
  '$id $input: $note',
  ({ input, mobile, unusual, error }) => {
    expect(parseMobile(input)).toEqual(error ? { ok: false, error } : { ok: true, mobile, unusual })
  },
)

describe('one number in all its spellings', () => {
  test.each([
    '0989123456789',
    '0098 912 345 6789',
    '98 0912 345 6789',
    '0912/345/6789',
    '0912\u200c345\u200c6789',
    '0912¬345¬6789',
    '[0912] 3456789',
    '+98 (0) 912 345 6789',
    '٠٩١٢٣٤٥٦٧٨٩',
    '09123456789.',
    'TEL: 0912-345-6789',
    '۰۹۱۲،۳۴۵،۶۷۸۹',
    '0912·345·6789',
    '0912٬345٬6789',
  ])('%s', (input) => {
    expect(parseMobile(input)).toEqual({ ok: true, mobile: '09123456789', unusual: false })
  })
})

describe('a text that is not a mobile is refused with its reason', () => {
  test.each([
    ['09123456789 09351112233', 'several'],
    ['09123456789 / 0935 111 2233', 'several'],
    ['9811112233', 'too_short'],
    ['9123456789 '.repeat(6), 'several'],
    ['098912345678', 'too_short'],
    ['+123456', 'too_short'],
    ['+1234567', 'foreign'],
    ['123456789012345', 'foreign'],
    ['1234567890123456', 'too_long'],
    ['01234567', 'too_short'],
    ['02112345670', 'landline'],
    ['+989123456789 +989351112233', 'several'],
    ['02112345678 09123456789', 'several'],
    ['شماره من 09123456789', 'bad_char'],
    ['++989123456789', 'bad_char'],
    ['📱09123456789', 'bad_char'],
    ['+', 'empty'],
    ['\u200f', 'empty'],
    ['+98', 'too_short'],
    ['+9801112233', 'too_short'],
    ['091234567890', 'too_long'],
    ['6037991234567890', 'too_long'],
    ['+98 21 1234 5678', 'landline'],
    ['+93701234567', 'foreign'],
    ['+12025550123', 'foreign'],
    ['+961 3 123 456', 'foreign'],
    ['0049 171 1234567', 'foreign'],
    ['491711234567', 'foreign'],
    ['00000000000', 'not_mobile'],
  ])('%s: %s', (input, error) => {
    expect(parseMobile(input)).toEqual({ ok: false, error })
  })
})

test('every mobile that the specification allows is read in every form, with any separator', () => {
  const separator = fc.constantFrom('', ' ', '-', '.', '/', '\u200c', 'ـ', '−', '٫')
  const prefix = fc.constantFrom('0', '+98', '0098', '98', '+980', '')
  fc.assert(
    fc.property(
      fc.stringMatching(/^9[0-79]\d{8}$/),
      prefix,
      separator,
      fc.boolean(),
      (number, start, between, persian) => {
        const typed = [start, number.slice(0, 3), number.slice(3, 6), number.slice(6)].join(between)
        const parsed = parseMobile(persian ? toPersianDigits(typed) : typed)
        expect(parsed).toMatchObject({ ok: true, mobile: `0${number}` })
      },
    ),
  )
})

test('an accepted mobile has eleven digits and starts with 09', () => {
  const typed = fc.string({ unit: fc.constantFrom(...'0123456789۰۹۸٨٩+ -/') })
  fc.assert(
    fc.property(typed, (text) => {
      const parsed = parseMobile(text)
      if (parsed.ok) expect(parsed.mobile).toMatch(/^09\d{9}$/)
    }),
    { numRuns: 2000 },
  )
})

test('a hostile text is refused at once', () => {
  expect(parseMobile(`${'98'.repeat(2000)}1`)).toEqual({ ok: false, error: 'too_long' })
})
