import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clean, toAsciiDigits, toPersianDigits } from '../../../src/domain/persian/clean.ts'

test.each([
  ['direction marks and isolates', '\u2067\u200fعلی\u200e\u2069', 'علی'],
  ['a half space stays', 'نیک\u200cنام', 'نیک\u200cنام'],
  ['the half space of old keyboards', 'نیک¬نام', 'نیک\u200cنام'],
  ['presentation forms', 'ﻋﻠﻲ', 'علي'],
  ['every kind of space', '\u00a0a\u2003\n\tb \u3000', 'a b'],
  ['joiners, byte order mark, soft hyphen, control characters', '\ufeffa\u200d\u00ad\u0007b', 'ab'],
  ['a variation selector', '❤\ufe0f', '❤'],
])('%s', (_, typed, cleaned) => {
  expect(clean(typed)).toBe(cleaned)
})

test('cleaning twice changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(clean(clean(text))).toBe(clean(text))
    }),
  )
})

test('the digits of every script are the same digits', () => {
  expect(toAsciiDigits('०१२३४५६७८९ ੦੧੨੩੪੫੬੭੮੯ ၀၁၂၃၄၅၆၇၈၉')).toBe('0123456789 0123456789 0123456789')
  expect(toAsciiDigits('۰۱۲۳۴۵۶۷۸۹ ٠١٢٣٤٥٦٧٨٩ ０１２３４５６７８９ 0123456789')).toBe(
    '0123456789 0123456789 0123456789 0123456789',
  )
  expect(toPersianDigits('1405/08/29')).toBe('۱۴۰۵/۰۸/۲۹')
})
