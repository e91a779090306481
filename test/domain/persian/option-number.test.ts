import { expect, test } from 'vitest'
import { parseTypedOption } from '../../../src/domain/persian/option-number.ts'

const usual = ['هرگز', 'گاهی', 'بیشتر وقت‌ها', 'همیشه']

test.each([
  ['۲', 1],
  ['٢', 1],
  ['2', 1],
  ['2️⃣', 1],
  ['گزینهٔ ۲', 1],
  ['دو', 1],
  ['گزینه دو', 1],
  ['گزینهٔ دو', 1],
  ['گزینه‌ی دوم', 1],
  ['دومی', 1],
  ['یکی', 0],
  ['اول', 0],
  ['سوم', 2],
  ['چهار', 3],
  ['two', 1],
  ['Second', 1],
  ['option two', 1],
  ['the second one', 1],
  ['بیست و یک', 20],
  ['two ones', undefined],
  ['گزینه', undefined],
  ['صفر', undefined],
  [`${'دو'}${' '.repeat(9)}`, 1],
  ['گاهی', 1],
  ['  گاهي. ', 1],
  ['بیشتر وقتها', undefined],
  ['بیشتر وقت ها', 2],
  ['هميشه', 3],
  ['شاید', undefined],
  ['دو یا سه', undefined],
  ['2 3', undefined],
  ['one two', undefined],
  ['', undefined],
])('«%s» is option %s', (text, option) => {
  expect(parseTypedOption(text, usual)).toBe(option)
})

test('where labels are numbers themselves, the label wins', () => {
  const labels = ['۳', '۲', '۱', '۰']
  expect(['3', '۲', '١', '0', '4'].map((text) => parseTypedOption(text, labels))).toEqual([0, 1, 2, 3, 3])
})

test('a label with a sign is no number', () => {
  expect(['2', '+2', '-2'].map((text) => parseTypedOption(text, ['+2', '-2']))).toEqual([1, 0, 1])
})

test('a number is looked for within 60 letters', () => {
  const please = 'لطفا '
  expect(parseTypedOption(`${please.repeat(11)}من دو`, usual)).toBe(1)
  expect(parseTypedOption(`${please.repeat(10)}گزینه من دو`, usual)).toBeUndefined()
})

test('a number in words is that label, not that place', () => {
  const labels = ['۰', '۱', '۲', '۳']
  expect(['یک', 'one', 'دومی', '1', '4'].map((text) => parseTypedOption(text, labels))).toEqual([
    1, 1, 2, 1, 3,
  ])
  expect(['9', 'nine'].map((text) => parseTypedOption(text, ['بله', 'نه']))).toEqual([8, 8])
})

test('a label that stands twice says nothing', () => {
  expect(parseTypedOption('بله', ['بله', 'نه', 'بله.'])).toBeUndefined()
})
