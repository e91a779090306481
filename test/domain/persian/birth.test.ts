import { describe, expect, test } from 'vitest'
import { parseBirth } from '../../../src/domain/persian/birth.ts'
import { cases } from './cases.ts'

type Expected = { iso?: string; calendar?: string; assumed?: string[]; error?: string; candidates?: string[] }
type Case = Expected & { id: number; input: string; note: string }

const { cases: table, today } = cases<{ cases: Case[]; today: string }>('birth')

test.each(table)('$id $input: $note', ({ input, id: _, note: __, ...expected }) => {
  expect(parseBirth(input, { today })).toEqual({ ok: expected.error === undefined, ...expected })
})

/** The date a text is read as, without the assumptions. */
const isoOf = (text: string) => {
  const parsed = parseBirth(text, { today })
  return parsed.ok ? parsed.iso : parsed.error
}

describe('12 Mordad 1375 in all spellings', () => {
  test.each(
    `1375.5.12|1375_5_12|1375,5,12|1375:5:12|۱۳۷۵٫۵٫۱۲|1375—5—12|1375‑5‑12|1375؍5؍12|1375⁄5⁄12|1375-5/12|13750512|12051375
١٣٧٥/٥/١٢|１３７５/５/１２|1️⃣3️⃣7️⃣5️⃣/5/12|(1375/5/12)|«۱۲ مرداد ۱۳۷۵»|1375/5/12 🎂|1375/5/12.
12مرداد1375|۱۲ مرداد ماه ۱۳۷۵|۱۲ مرداد‌ماه ۱۳۷۵|۱۲ مُرداد ۱۳۷۵|۱۲ مـرداد ۱۳۷۵|12ـمرداد-1375|۱۲ِ مردادِ ۱۳۷۵|مرداد ۱۲، ۱۳۷۵|۱۳۷۵/مرداد/۱۲|75 مرداد 12
12م مرداد 1375|۱۲ ام مرداد ۱۳۷۵|۱۲اُم مردادماه ۱۳۷۵|۱۳۷۵ مرداد ۱۲م|12th Mordad 1375|12 om mordad 1375|دوازدهمِ مرداد ۱۳۷۵|دوازده‌م مرداد ۱۳۷۵
دوازدهم مرداد هزار و سیصد و هفتاد و پنج|دوازده مرداد هزاروسیصدوهفتادوپنج|دوازده مرداد یک هزار و سیصد و هفتاد و پنج|دوازده مرداد هزار و سی‌صد و هفتاد و پنج|دوازده مرداد هزار و سی صد و هفتاد و پنج|دوازدهم مردادماه سال هفتاد و پنج|دوازده پنج هفتاد و پنج
1375/5/12 ه.ش|1375/5/12 هـ.ش|1375/5/12 ه ش|1375/5/12 ش|۱۳۷۵/۵/۱۲ هجری خورشیدی|۱۲ مرداد ۱۳۷۵ خورشیدی|12 mordad 1375 shamsi
جمعه ۱۲ مرداد ۱۳۷۵|پنج‌شنبه ۱۲ مرداد ۱۳۷۵|5شنبه ۱۲ مرداد ۱۳۷۵|سه شنبه، ۱۲ مرداد ۱۳۷۵|5 شنبه ۱۲ مرداد ۱۳۷۵|روز ۵ شنبه 1375/5/12|1375/5/12شنبه|1375/5/12 شنبه|jomeh 12 mordad 1375|Fri 12 Mordad 1375
تاریخ تولد من ۱۲ مرداد ۱۳۷۵ است|من متولد دوازدهم مرداد سال هفتاد و پنج هستم|به دنیا آمده در ۱۲ مرداد ۱۳۷۵|birth day: 12 mordad 1375|ولادت: ۱۲ مرداد ۱۳۷۵ می‌باشد، ممنون|تولدم ۱۲ مرداد ۱۳۷۵ بود لطفاً
روز ۱۲ ماه ۵ سال ۱۳۷۵|سال 1375 ماه 5 روز 12|12 ماه 5 سال 75|12 برج 5 1375|۲۸ ساله، متولد ۱۳۷۵/۵/۱۲
ماه ۵ روز ۱۲ سال ۱۳۷۵|ماه 5 روز 12 سال 75|روز 12 سال 75 ماه 5|ماه 5، 12، 1375|12 1375 ماه 5|ماه 1375 روز 5 سال 12|روز 1375 ماه 5 سال 12
سن 28، 12/5/1375|12 مرداد 75 سال|12 مرداد و 1375|day 12 month 5 year 1375|month 5 day 12 year 1375|day 12 mordad 1375`.split(
      /[|\n]/,
    ),
  )('%s', (text) => {
    expect(isoOf(text)).toBe('1996-08-02')
  })
})

const months: readonly string[] = [
  'فروردین|فروردين|فروردین‌ماه|حمل|farvardin|Farvardeen|farwardin',
  'اردیبهشت|اردی‌بهشت|ارديبهشت|ثور|ordibehesht|Ordibehest|urdibihisht',
  'خرداد|خردادماه|جوزا|khordad|xordâd|Khurdad',
  'تیر|تير|تیرماه|سرطان|tir|Teer|Tīr',
  'مرداد|امرداد|اسد|mordad|Amordad|Murdād',
  'شهریور|شهريور|سنبله|shahrivar|Shahrīvar|shahriwar',
  'مهر|مهرماه|میزان|mehr|Mihr',
  'آبان|ابان|آبان‌ماه|عقرب|aban|Ābān',
  'آذر|اذر|آذرماه|قوس|azar|Āzar',
  'دی|دي|دی‌ماه|جدی|dey|dei|Day|Di',
  'بهمن|بهمن‌ماه|دلو|bahman',
  'اسفند|اسپند|اسفندماه|حوت|esfand|Espand|isfand',
]

const gregorianMonths: readonly string[] = [
  'ژانویه|ژانویهٔ|ژانویه‌ی|جنوری|January|jan.|janvier',
  'فوریه|فوریهٔ|فبروری|February|FEB|février',
  'مارس|مارچ|March|Mar|mars',
  'آوریل|اوریل|اپریل|April|apr|avril',
  'مه|می|مِی|مای|ماه مه|May|mai',
  'ژوئن|ژوين|ژوءن|جون|June|jun|juin',
  'ژوئیه|ژوئیهٔ|ژوییه|ژویه|جولای|جولائی|July|jul|juillet',
  'اوت|آگوست|اگوست|اگست|August|aug.|août',
  'سپتامبر|سپتمبر|September|Sept|sep|septembre',
  'اکتبر|اُکتبر|اكتوبر|October|oct|octobre',
  'نوامبر|نومبر|November|nov',
  'دسامبر|دسمبر|December|dec|décembre',
]

const twelve = (names: readonly string[]) =>
  names.flatMap((line, index) => line.split('|').map((name) => ({ name, month: index + 1 })))

test.each(twelve(months))('$name is Jalali month $month', ({ name, month }) => {
  const expected = isoOf(`1370/${month}/3`)
  expect(expected).toMatch(/^199[12]-/)
  for (const text of [
    `3 ${name} 1370`,
    `۳ ${name} ۱۳۷۰`,
    `1370 ${name} 3`,
    `3-${name}-70`,
    `${name} 3, 1370`,
  ]) {
    expect(parseBirth(text, { today })).toMatchObject({ iso: expected, calendar: 'jalali' })
  }
})

test.each(twelve(gregorianMonths))('$name is Gregorian month $month', ({ name, month }) => {
  const iso = `1990-${String(month).padStart(2, '0')}-03`
  for (const text of [
    `3 ${name} 1990`,
    `${name} 3, 1990`,
    `1990 ${name} 3`,
    `۳ ${name} ۱۹۹۰`,
    `3-${name}-90`,
  ]) {
    expect(parseBirth(text, { today })).toMatchObject({ iso, calendar: 'gregorian' })
  }
})

const days = [
  ...[
    'یکم',
    'دوم',
    'سوم',
    'چهارم',
    'پنجم',
    'ششم',
    'هفتم',
    'هشتم',
    'نهم',
    'دهم',
    'یازدهم',
    'دوازدهم',
    'سیزدهم',
  ],
  ...['چهاردهم', 'پانزدهم', 'شانزدهم', 'هفدهم', 'هجدهم', 'نوزدهم', 'بیستم', 'بیست و یکم', 'بیست و دوم'],
  ...[
    'بیست‌و‌سوم',
    'بیست و چهارم',
    'بیست‌وپنجم',
    'بیستوششم',
    'بیست و هفتم',
    'بیست و هشتم',
    'بیست و نهم',
    'سی‌ام',
    'سی و یکم',
  ],
].map((word, index) => [word, index + 1] as const)

test.each(days)('the day «%s» is %d', (word, day) => {
  const expected = isoOf(`1370/1/${day}`)
  expect(isoOf(`${word} فروردین ۱۳۷۰`)).toBe(expected)
  const spoken = word.replace(/سوم$/, 'سه').replace(/(?:\u200cا)?م$/, '')
  expect(isoOf(`${spoken} فروردین ۱۳۷۰`)).toBe(expected)
})

const years: readonly (readonly [string, string])[] = [
  ['هزار و سیصد', '1300/1/1'],
  ['هزار و سیصد و چهل', '1340/1/1'],
  ['یک هزار و سیصد و نود و نه', '1399/1/1'],
  ['هزار و چهارصد', '1400/1/1'],
  ['هزار و چهارصد و سه', '1403/1/1'],
  ['هزار سیصد هفتاد و پنج', '1375/1/1'],
  ['نود و نه', '1399/1/1'],
  ['شصت', '1360/1/1'],
  ['صفر سه', '1403/1/1'],
  ['دوهزار و پانصد و سی و شش', '1356/1/1'],
]

test.each(years)('the year «%s» is %s', (words, date) => {
  expect(isoOf(`اول فروردین ${words}`)).toBe(isoOf(date))
})

test.each([
  ['هزار و نهصد و نود و شش', '1996-08-03'],
  ['دو هزار', '2000-08-03'],
  ['دو هزار و پنج', '2005-08-03'],
])('the Gregorian year «%s» is read', (words, iso) => {
  expect(isoOf(`سوم اوت ${words}`)).toBe(iso)
})

test.each<[string, Expected]>([
  ['12051375', { iso: '1996-08-02', calendar: 'jalali', assumed: ['order'] }],
  ['120575', { iso: '1996-08-02', calendar: 'jalali', assumed: ['century', 'order'] }],
  ['00/5/12', { iso: '2021-08-03', calendar: 'jalali', assumed: ['century'] }],
  ['12/5/2536', { iso: '1977-08-03', calendar: 'imperial', assumed: ['order', 'imperial'] }],
  ['2536/5/12 شاهنشاهی', { iso: '1977-08-03', calendar: 'imperial', assumed: ['imperial'] }],
  ['3 Aug 96', { iso: '1996-08-03', calendar: 'gregorian', assumed: ['century'] }],
  ['3rd Aug 10', { iso: '2010-08-03', calendar: 'gregorian', assumed: ['century'] }],
  ['96/8/3 میلادی', { iso: '1996-08-03', calendar: 'gregorian', assumed: ['century'] }],
  ['13/8/96 میلادی', { iso: '1996-08-13', calendar: 'gregorian', assumed: ['century'] }],
  ['5/12/1375', { iso: '1997-02-23', calendar: 'jalali', assumed: ['order'] }],
  ['201231', { iso: '1953-03-11', calendar: 'jalali', assumed: ['century'] }],
  ['00 مرداد 12', { iso: '2021-08-03', calendar: 'jalali', assumed: ['century'] }],
  ['1 فروردین 05', { iso: '2026-03-21', calendar: 'jalali', assumed: ['century'] }],
  ['25/12/1996', { iso: '1996-12-25', calendar: 'gregorian', assumed: [] }],
  ['8/8/1996', { iso: '1996-08-08', calendar: 'gregorian', assumed: [] }],
  ['12/10/2026', { iso: '2026-10-12', calendar: 'gregorian', assumed: ['order'] }], // 10 December is still to come
  ['۳ اوت ۱۹۹۶م', { iso: '1996-08-03', calendar: 'gregorian', assumed: [] }],
])('%s is read as %o', (text, expected) => {
  expect(parseBirth(text, { today })).toEqual({ ok: true, ...expected })
})

test.each<[string, string, string[]?]>([
  ['08/03/1996', 'ambiguous', ['1996-03-08', '1996-08-03']],
  ['03081996', 'ambiguous', ['1996-08-03', '1996-03-08']],
  ['3/8/96 میلادی', 'ambiguous', ['1996-08-03', '1996-03-08']],
  ['3 Aug 10', 'ambiguous', ['2010-08-03', '2003-08-10']],
  ['02/05/12', 'ambiguous'],
  ['1/1/1', 'ambiguous'],
  ['137512', 'ambiguous'],
  ['1/5/31', 'ambiguous'],
  ['31/1/12', 'ambiguous'],
  ['1375512', 'unreadable'],
  ['12 مرداد 75 5', 'unreadable'],
  ['1375 مرداد 1376', 'unreadable'],
  ['12 +مهر 1375', 'unreadable'],
  ['130 ساله', 'age_only'],
  ['131 ساله', 'incomplete'],
  ['12/13/75', 'invalid_month'],
  ['75/13/12', 'invalid_month'],
  ['37513005', 'year_out_of_range'],
  ['01375/5/12', 'year_out_of_range'],
  ['1199/1/1', 'year_out_of_range'],
  ['1200/1/1', 'too_old'],
  ['1800-01-01', 'too_old'],
  ['2100-01-01', 'future'],
  ['1996/8/3 میلادی شمسی', 'calendar_mismatch'],
  ['1375/5/12م', 'calendar_mismatch'],
  ['', 'empty'],
  ['\u200c\u200f', 'empty'],
  ['سلام', 'unreadable'],
  ['🎂', 'unreadable'],
  ['امروز', 'unreadable'],
  ['1375/5/12 یا 1376/5/12', 'unreadable'],
  ['1375/5/12 1376/5/12', 'unreadable'],
  ['1375+5+12', 'unreadable'],
  ['5/1375/12', 'unreadable'],
  ['۱۲ مرداد ۱۳۷۵ نیست', 'unreadable'],
  ['12345678901', 'unreadable'],
  ['1375', 'incomplete'],
  ['1375/5', 'incomplete'],
  ['12 مرداد', 'incomplete'],
  ['متولد ۱۳۷۵', 'incomplete'],
  ['28 ساله', 'age_only'],
  ['من ۲۸ سالمه', 'age_only'],
  ['۲۸ سال', 'age_only'],
  ['۲۸ سال دارم', 'age_only'],
  ['28 سال و 3 ماه', 'age_only'],
  ['بیست و هشت ساله', 'age_only'],
  ['سن: ۲۸', 'age_only'],
  ['28 years old', 'age_only'],
  ['13751305', 'invalid_month'],
  ['1375/0/5', 'invalid_month'],
  ['31/31/1996', 'invalid_month'],
  ['0/5/1375', 'invalid_day'],
  ['32 مرداد 1375', 'invalid_day'],
  ['2/30/1996', 'invalid_day'],
  ['2023-02-29', 'invalid_day'],
  ['37510512', 'year_out_of_range'],
  ['13755/5/12', 'year_out_of_range'],
  ['12 مرداد 375', 'year_out_of_range'],
  ['1500/1/1', 'year_out_of_range'],
  ['2101-01-01', 'year_out_of_range'],
  ['1405/08/30', 'future'],
  ['2026-11-21', 'future'],
  ['1499/1/1', 'future'],
  ['1905-11-20', 'too_old'],
  ['1284/8/28', 'too_old'],
  ['12 مرداد 1375 میلادی', 'calendar_mismatch'],
  ['1996/8/3 شمسی', 'calendar_mismatch'],
  ['3 Aug 1375', 'calendar_mismatch'],
  ['2536/5/12 میلادی', 'calendar_mismatch'],
  ['1356/5/12 شاهنشاهی', 'calendar_mismatch'],
  ['۱۰ رمضان ۱۴۱۷', 'lunar'],
  ['10 ربیع الاول 1417', 'lunar'],
  ['5 ذی‌الحجه 1410', 'lunar'],
  ['5 صفر 1410', 'lunar'],
  ['1417/9/10 هجری قمری', 'lunar'],
  ['1417/9/10 ق', 'lunar'],
  ['+98 912 345 6789', 'looks_like_mobile'],
  ['۰۹۱۲۳۴۵۶۷۸۹', 'looks_like_mobile'],
  ['9123456789', 'looks_like_mobile'],
  ['001-234567-8', 'looks_like_national_id'],
  ['کد ملی: ۰۰۱۲۳۴۵۶۷۸', 'looks_like_national_id'],
])('%s is refused: %s', (text, error, candidates) => {
  expect(parseBirth(text, { today })).toEqual({ ok: false, error, ...(candidates ? { candidates } : {}) })
})

test('a text is read up to 200 letters', () => {
  expect(isoOf(`1375/5/12${'.'.repeat(191)}`)).toBe('1996-08-02')
  expect(isoOf(`1375/5/12${'.'.repeat(192)}`)).toBe('unreadable')
})

test('the youngest and the oldest are accepted, a day beyond is not', () => {
  expect(isoOf('2026-11-20')).toBe('2026-11-20')
  expect(isoOf('1905-11-21')).toBe('1905-11-21')
  expect(isoOf('1284/8/30')).toBe('1905-11-21')
  expect(parseBirth('1960-11-20', { today, maxAge: 65 })).toEqual({ ok: false, error: 'too_old' })
  expect(parseBirth('1960-11-21', { today, maxAge: 65 })).toMatchObject({ ok: true })
})
