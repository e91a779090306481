import { expect, test } from 'vitest'
import { cleanText, escapeXml, isolate, isolateCode } from '../../src/pictures/text.ts'

test.each([
  ['half spaces and marks stay', 'روان‌پریشیِ مُزمِن', 'روان‌پریشیِ مُزمِن'],
  ['direction characters go', '\u202eabc\u202c \u2067x\u2069\u200f', 'abc x'],
  ['control characters go', 'علی\u0000\u0007\ufeff\u00ad رضا', 'علی رضا'],
  ['any white space is one space', ' خط\nدوم\t\u00a0 سوم ', 'خط دوم سوم'],
  ['emoji and CJK go', '😀 اضطراب 👨‍👩‍👧 中文', 'اضطراب'],
  ['compatibility forms are spelled out', 'Ａｂ ① Ⅱ x₂', 'Ab 1 II x2'],
  ['a broken pair of surrogates goes', 'a\ud83db', 'ab'],
  ['half spaces beside spaces go', '\u200cمی \u200cرود\u200c', 'می رود'],
  ['towers of marks are cut', 'زَُِّ', 'زَُ'],
  ['nothing is left of nothing drawable', '😀\u200d😀', ''],
])('a text is cleaned: %s', (_, text, expected) => {
  expect(cleanText(text)).toBe(expected)
})

test('a very long text is cut', () => {
  expect(cleanText('ا'.repeat(100_000)).length).toBeLessThanOrEqual(400)
})

const marked = (text: string) =>
  text.replaceAll('\u2066', '[L ').replaceAll('\u2067', '[R ').replaceAll('\u2069', ']')

test.each([
  ['fa', 'SCL-90-R فهرست', '[R SCL-90-R فهرست]'],
  ['fa', 'Beck Inventory (BDI-II)', '[L Beck Inventory (BDI-II)]'],
  ['fa', '۱۲ (۳)', '[R ۱۲ (۳)]'],
  ['fa', 'دمای -12.5 درجه', '[R دمای [L -12.5] درجه]'],
  ['fa', 'تا −۱٫۵ و +3', '[R تا [L −۱٫۵] و [L +3]]'],
  ['fa', 'کد 12345-67', '[R کد [L 12345-67]]'],
  ['fa', 'تلفن ۰۲۱-۱۲۳۴', '[R تلفن [L ۰۲۱-۱۲۳۴]]'],
  ['fa', 'روز ۱۴۰۵-۰۸-۲۹', '[R روز [L ۱۴۰۵-۰۸-۲۹]]'],
  ['fa', 'برای ۶-۱۸ سال', '[R برای ۶-۱۸ سال]'],
  ['fa', 'اضطراب GAD-7', '[R اضطراب GAD-7]'],
  ['fa', 'هوش EQ 12-34', '[R هوش EQ 12-34]'],
  ['en', 'Anxiety (اضطراب)', '[L Anxiety (اضطراب)]'],
  ['en', 'اضطراب (GAD)', '[R اضطراب (GAD)]'],
  ['en', '12 (3)', '[L 12 (3)]'],
] as const)('direction in %s: %s', (language, text, expected) => {
  expect(marked(isolate(language, text))).toBe(expected)
})

test('a code reads from left to right unless it is Persian', () => {
  expect(marked(isolateCode('PR-1405/00127'))).toBe('[L PR-1405/00127]')
  expect(marked(isolateCode('−۱٫۵'))).toBe('[L −۱٫۵]')
  expect(marked(isolateCode('الف-۱۲'))).toBe('[R الف-۱۲]')
})

test('text cannot become markup', () => {
  expect(escapeXml('<b a="1">&')).toBe('&#60;b a=&#34;1&#34;&#62;&#38;')
})
