import { describe, expect, test } from 'vitest'
import { ownNumbers, parseTypedOption } from '../../../src/domain/persian/option-number.ts'

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
  ['بیشتر وقتها', 2],
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

test('with numbers as labels the label wins, and no place can be typed', () => {
  const labels = ['۳', '۲', '۱', '۰']
  expect(['3', '۲', '١', '0', '4'].map((text) => parseTypedOption(text, labels))).toEqual([
    0,
    1,
    2,
    3,
    undefined,
  ])
})

test('a positive number is typed without its sign', () => {
  const labels = ['-2', '0', '+2']
  expect(['2', '+2', '-2', '0', '1', '3'].map((text) => parseTypedOption(text, labels))).toEqual([
    2,
    2,
    0,
    1,
    undefined,
    undefined,
  ])
})

test.each([
  [
    ['۰', '۱', '۲'],
    [0, 1, 2],
  ],
  [['۱', '۲', '۳'], undefined],
  [
    ['هرگز', '۱', '۲'],
    [undefined, 1, 2],
  ],
  [['۱', '۲', 'بیشتر'], undefined],
  [
    ['۰', '۱', '۲ یا بیشتر', '۳-۵'],
    [0, 1, 2, undefined],
  ],
  [
    ['۰: اصلاً', '۱: کمی'],
    [0, 1],
  ],
  [['۱: اصلاً', '۲: کمی'], undefined],
  [['هرگز', '۱ بار', '۲ بار'], undefined],
  [['0-5 بار', '6-10 بار'], undefined],
  [['0.5 ساعت', '1.5 ساعت'], undefined],
  [usual, undefined],
])('the own numbers of the labels %j are %j', (labels, own) => {
  expect(ownNumbers(labels)).toEqual(own)
})

test.each([
  // A typographic dash is a sign too.
  [['–2', '–1', '0', '1', '2'], '2', 4],
  [['–2', '–1', '0', '1', '2'], '1', 3],
  [['–2', '–1', '0', '1', '2'], '–2', 0],
  [['–2: مخالف', '–1', '0', '1: موافق', '2'], '1', 3],
  // In a right-to-left box the minus comes last; behind a number without a sign it has no meaning.
  [['-2', '-1', '0', '1', '2'], '۲-', undefined],
  [['هرگز', 'گاهی', 'همیشه'], '۲-', 1],
  // If all labels begin with numbers, a number is the label's, also with words.
  [['۰', '۱', '۲', '۳ یا بیشتر'], '۳', 3],
  [['۰', '۱', '۲', '۳ یا بیشتر'], '۴', undefined],
  [['۰ بار', '۱ بار', '۲ بار', '۳ بار'], '۲', 2],
  [['۱ بار', '۲ بار', '۳ بار'], '۲', 1],
  // Beside a range, a number could be within it or its place.
  [['1-2 بار', '3-4 بار', '5-6 بار'], '3', undefined],
  [['۱', '۲', '۴-۵', '۶-۷'], '۴', undefined],
  // A place is counted from one, and is not a label.
  [['۰', '۱', '۲', '۳ یا بیشتر'], 'سوم', undefined],
  [['۱', '۲', '۴ یا بیشتر'], 'دوم', 1],
  [['۳ بار', '۴ بار', '۲ بار'], 'گزینهٔ ۲', 2],
  [['۰', '۱', '۲', '۳ یا بیشتر'], 'جواب ۳', 3],
  [['۱۰: کم', '۲۰: زیاد', '۳۰: خیلی'], 'پاسخ ۲۰', 1],
  [['۳ بار', '۴ بار', '۲ بار'], '۲', 2],
  // A word without its half-space is the same if only one label has it.
  [['همه', 'هیچ‌کدام'], 'هیچکدام', 1],
  [['هرگز', 'به‌ندرت'], 'بهندرت', 1],
  [['۱: همه', '۲: نمی‌دانم'], 'نمیدانم', 1],
  [['می‌دانم', 'می دانم'], 'میدانم', undefined],
  [['۱ ۲ ماه', '۳ ۴ ماه'], '۱۲ ماه', undefined],
])('of %j «%s» is option %s, or none', (labels, text, option) => {
  expect(parseTypedOption(text, labels)).toBe(option)
})

test('a number is looked for within 60 letters', () => {
  const please = 'لطفا '
  expect(parseTypedOption(`${please.repeat(11)}من دو`, usual)).toBe(1)
  expect(parseTypedOption(`${please.repeat(10)}گزینه من دو`, usual)).toBeUndefined()
})

test('a number in words is the label, not the place', () => {
  const labels = ['۰', '۱', '۲', '۳']
  for (const text of ['یک', 'one', '1']) expect(parseTypedOption(text, labels), text).toBe(1)
  for (const text of ['دومی', 'اولی', 'چهار']) expect(parseTypedOption(text, labels), text).toBeUndefined()
  expect(['9', 'nine'].map((text) => parseTypedOption(text, ['بله', 'نه']))).toEqual([8, 8])
})

test.each([
  [['بله', 'خیر'], 'نه', 1],
  [['بله', 'خیر'], 'نخیر', 1],
  [['بله', 'خیر'], 'نه‌خیر!', 1],
  [['بله', 'خیر'], 'آره', 0],
  [['بله', 'خیر'], 'بلی', 0],
  [['خیر', 'تا حدودی', 'آره'], 'بله', 2],
  [['۱) بله', '۲) نه'], 'خیر', 1],
  [['Yes', 'No'], 'نه', 1],
  [['بله', 'خیر'], 'باشه', undefined],
  [['بله', 'آره', 'خیر'], 'نه', undefined],
  [['بله', 'نه', 'نخیر'], 'خیر', undefined],
  [usual, 'نه', undefined],
  [usual, 'آره', undefined],
  [usual, 'گزینه نه', 8],
  [[...'ابپتثجچح'], 'نه', undefined],
  [[...'ابپتثجچحخ'], 'نه', 8],
])('of %j «%s» is option %s', (labels, text, option) => {
  expect(parseTypedOption(text, labels)).toBe(option)
})

test.each([
  [usual, '۲. گاهی', 1],
  [usual, '2. گاهي', 1],
  [usual, '۲.گاهی', 1],
  [usual, '۲. هرگز', undefined],
  [['۳', '۲', '۱'], '۲. ۲', undefined],
  [['بله', 'نه', 'بله'], '۳. بله', 2],
])('of %j the button «%s» is option %s', (labels, text, option) => {
  expect(parseTypedOption(text, labels)).toBe(option)
})

test('a label that stands twice chooses nothing', () => {
  expect(parseTypedOption('بله', ['بله', 'نه', 'بله.'])).toBeUndefined()
})

describe('labels that each begin with their own number', () => {
  test.each([
    [['۰: اصلاً', '۱: کمی', '۲: زیاد'], '1', 1],
    [['۰: اصلاً', '۱: کمی', '۲: زیاد'], '۰', 0],
    [['۰: اصلاً', '۱: کمی', '۲: زیاد'], 'گزینه ۲', 2],
    [['۰: اصلاً', '۱: کمی', '۲: زیاد'], 'یک', 1],
    [['۰: اصلاً', '۱: کمی', '۲: زیاد'], '3', undefined],
    [['۰: اصلاً', '۱: کمی', '۲: زیاد'], 'کمی', 1],
    [['۰: اصلاً', '۱: کمی', '۲: زیاد'], 'گزینه اول', undefined],
    [['۰: اصلاً', '۱: کمی', '۲: زیاد'], 'اولی', undefined],
    [['۰: اصلاً', '۱: کمی', '۲: زیاد'], 'first', undefined],
    [['۱: اصلاً', '۲: کمی'], 'دومی', 1],
    [['0 = هرگز', '1 = گاهی'], '1', 1],
    [['0) هرگز', '1) گاهی'], '0', 0],
    [['(0) هرگز', '(1) گاهی'], '2', undefined],
    [['0 - هرگز', '1 - گاهی', '2 - زیاد'], '2', 2],
    [['-1: مخالف', '0: هیچ', '+1: موافق'], '0', 1],
    [['۰: اصلاً', '۱', '۲', '۳: زیاد'], '3', 3],
    [['۱: الف', '۱: ب'], '1', undefined],
    [['۱: الف', '۲: ب'], '2', 1],
    [['10: الف', '20: ب'], '20', 1],
  ])('of %j «%s» is option %s', (labels, text, option) => {
    expect(parseTypedOption(text, labels)).toBe(option)
  })

  test.each([
    [['0-5 بار', '6-10 بار'], '2', 1],
    [['0 - 5', '6 - 10'], '1', 0],
    [['1.5 ساعت', '2.5 ساعت'], '2', 1],
    [['۲: زیاد', 'هیچ کدام'], '2', 1],
    [['۲: زیاد', 'هیچ کدام'], '0', undefined],
  ])('of %j, without such numbers, «%s» is option %s', (labels, text, option) => {
    expect(parseTypedOption(text, labels)).toBe(option)
  })
})

test('a question about an option does not choose it, unless its label is a question', () => {
  for (const text of ['همیشه؟', 'دو؟', '۲؟', 'گزینه ۱؟', 'گاهی ؟؟', 'بله؟', '؟'])
    expect(parseTypedOption(text, [...usual, 'بله', 'نه']), text).toBeUndefined()
  const asking = ['بله', 'چه کسی؟', 'خوب', 'خوب؟']
  expect(['چه کسی؟', '۲. چه کسی؟', 'چه کسی', 'خوب؟'].map((text) => parseTypedOption(text, asking))).toEqual([
    1, 1, 1, 3,
  ])
})

const of = (labels: string[], texts: string[]) =>
  Object.fromEntries(
    texts.map((text) => {
      const at = parseTypedOption(text, labels)
      return [text, at === undefined ? undefined : labels[at]]
    }),
  )

test('no place can be typed if none is shown', () => {
  expect(of(['0', '1', '2', '3'], ['1.0', '2.1', '2,1', '3/2', '4 3'])).toEqual({
    '1.0': undefined,
    '2.1': undefined,
    '2,1': undefined,
    '3/2': undefined,
    '4 3': undefined,
  })
  expect(of(['0', '0.5', '1', '1.5', '2'], ['1.0'])).toEqual({ '1.0': undefined })
})

test('ranges with an open end are typed by their place, as other ranges are', () => {
  const ages = ['۱۸ تا ۲۵ سال', '۲۶ تا ۳۵ سال', '۳۶ تا ۴۵ سال', '۴۶ سال و بیشتر']
  const audit = ['۱ یا ۲', '۳ یا ۴', '۵ یا ۶', '۷ تا ۹', '۱۰ یا بیشتر']
  const times = ['۰ بار', '۱ تا ۲ بار', '۳ تا ۵ بار', '۶ بار یا بیشتر']
  expect(ownNumbers(ages)).toBeUndefined()
  expect(of(ages, ['1', '2', '3', '4'])).toEqual({ 1: ages[0], 2: ages[1], 3: ages[2], 4: ages[3] })
  expect(of(audit, ['1', '2', '3', '4'])).toEqual({ 1: audit[0], 2: audit[1], 3: undefined, 4: audit[3] })
  expect(of(times, ['0', '1', '2', '3', '4'])).toEqual({
    0: undefined,
    1: undefined,
    2: times[1],
    3: times[2],
    4: times[3],
  })
})

test('a number with a separator is not a range, whatever follows it', () => {
  const cesd = ['۰: به ندرت (کمتر از ۱ روز)', '۱: ۱ تا ۲ روز', '۲: ۳ تا ۴ روز', '۳: ۵ تا ۷ روز']
  expect(ownNumbers(cesd)).toEqual([0, 1, 2, 3])
  expect(of(cesd, ['0', '1', '2', '3', '4'])).toEqual({
    0: cesd[0],
    1: cesd[1],
    2: cesd[2],
    3: cesd[3],
    4: undefined,
  })
  for (const at of [') ', '. ', ' = ', '=', ')'])
    expect(ownNumbers(['0', '1', '2'].map((number) => `${number}${at}${number} بار`)), at).toEqual([0, 1, 2])
  for (const ranges of [
    ['7:00', '7:30'],
    ['0.5 ساعت', '1.5 ساعت'],
    ['0 - 5', '6 - 10'],
    ['1,000', '2,000'],
  ])
    expect(ownNumbers(ranges), ranges[0]).toBeUndefined()
})

test('a signed number is typed as it stands before the words', () => {
  const labels = ['-2: کاملاً مخالف', '-1: مخالف', '0: بی‌نظر', '+1: موافق', '+2: کاملاً موافق']
  expect(of(labels, ['-2', '−۲', '-1', '0', '+1', '+2', '2', '2-', '-3'])).toEqual({
    '-2': labels[0],
    '−۲': labels[0],
    '-1': labels[1],
    0: labels[2],
    '+1': labels[3],
    '+2': labels[4],
    2: labels[4],
    '2-': undefined,
    '-3': undefined,
  })
  expect(of(['0 - هرگز', '1 - گاهی'], ['-1'])).toEqual({ '-1': undefined })
})

test('a number of four digits is typed as it stands before the words', () => {
  const labels = ['۱۰۰۰ تومان', '۲۰۰۰ تومان', '۵۰۰۰ تومان']
  expect(of(labels, ['1000', '۲۰۰۰', '2', '5000'])).toEqual({
    1000: labels[0],
    '۲۰۰۰': labels[1],
    2: undefined,
    5000: labels[2],
  })
  expect(of(['بیشتر از ۵ بار', '۵ بار', '۱ بار'], ['1', '2', '5'])).toEqual({
    1: 'بیشتر از ۵ بار',
    2: '۵ بار',
    5: undefined,
  })
})

test('zero is a number too, if an option has it', () => {
  expect(of(['۰: اصلاً', '۱: کمی'], ['صفر', 'zero', 'یک'])).toEqual({
    صفر: '۰: اصلاً',
    zero: '۰: اصلاً',
    یک: '۱: کمی',
  })
  expect(parseTypedOption('صفر', ['هرگز', 'گاهی'])).toBeUndefined()
})

test('labels with the same number are typed by their places', () => {
  expect(ownNumbers(['۵ سال در بخش دولتی', '۵ سال در بخش خصوصی', '۱۰ سال'])).toBeUndefined()
})
