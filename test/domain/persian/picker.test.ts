import { describe, expect, test } from 'vitest'
import { birthRange } from '../../../src/domain/persian/age.ts'
import { addDays } from '../../../src/domain/persian/calendar.ts'
import { type PickerStep, parsePicker, pickerView } from '../../../src/domain/persian/picker.ts'

const today = '2026-11-20'
const labels = { back: 'بازگشت' }
type Range = { first: string; last: string }

function view(data: string, range: Range, language: 'fa' | 'en') {
  const step = parsePicker(data)
  if (!step || step.kind === 'date') throw new Error(`${data} shows no step`)
  return pickerView(step, range, language, labels)
}

/** Presses every button except those that go back, and collects the days. */
function pressAll(range: Range, language: 'fa' | 'en'): string[] {
  const days: string[] = []
  const open = (step: PickerStep): void => {
    const { rows } = pickerView(step, range, language, labels)
    const buttons = rows.flat()
    expect(buttons.length).toBeLessThanOrEqual(35)
    for (const { text, data } of buttons) {
      expect(text.trim()).not.toBe('')
      expect(data).toMatch(/^birth:(?!ok|other|pick)[a-z0-9:]{1,58}$/)
      if (text === labels.back || data === 'birth:nop') continue
      const next = parsePicker(data)
      if (next?.kind === 'date') days.push(next.iso)
      else if (next) open(next)
      else throw new Error(`${data} means nothing`)
    }
  }
  open({ kind: 'decades' })
  return days
}

function daysOf({ first, last }: Range): string[] {
  const days: string[] = []
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day)
  return days
}

describe.each(['fa', 'en'] as const)('the picker in %s', (language) => {
  test.each([
    ['18 to 65 years', birthRange(18, 65, today)],
    ['12 to 12 years', birthRange(12, 12, today)],
    ['born this year', birthRange(null, 0, today)],
    ['a single day', { first: '1996-08-02', last: '1996-08-02' }],
    ['the turn of a decade', { first: '2001-03-19', last: '2001-03-22' }],
  ])('every day of %s is reached exactly once, and no other day', (_, range) => {
    expect(pressAll(range, language).sort()).toEqual(daysOf(range))
  })

  test('a range without days offers nothing', () => {
    expect(pressAll({ first: '2001-01-01', last: '2000-01-01' }, language)).toEqual([])
  })

  test.each(['birth:j:137', 'birth:j:1375', 'birth:j:1375:5', 'birth:g:1996', 'birth:g:1996:8'])(
    '%s goes back one step',
    (data) => {
      const back = view(data, birthRange(null, null, today), language).rows.at(-1)
      const before = back?.[0]?.data.split(':').length
      expect(back).toEqual([{ text: labels.back, data: expect.any(String) }])
      expect(back?.[0]?.data === 'birth:open' || Number(before) <= data.split(':').length).toBe(true)
      expect(parsePicker(back?.[0]?.data ?? '')).toBeDefined()
    },
  )
})

test('a Persian reader picks a Jalali day, each row from right to left', () => {
  const range = birthRange(18, 65, today)
  expect(
    view('birth:open', range, 'fa')
      .rows.at(-1)
      ?.map(({ data }) => data),
  ).toEqual(['birth:j:138', 'birth:j:137'])
  expect(view('birth:j:137', range, 'fa').rows[0]?.map(({ text }) => text)).toEqual([
    '۱۳۷۴',
    '۱۳۷۳',
    '۱۳۷۲',
    '۱۳۷۱',
    '۱۳۷۰',
  ])
  expect(view('birth:j:1375', range, 'fa').rows[1]?.map(({ text }) => text)).toEqual([
    'شهریور',
    'مرداد',
    'تیر',
  ])
  const days = view('birth:j:1375:5', range, 'fa')
  expect(days).toMatchObject({ kind: 'days', chosen: { year: '۱۳۷۵', month: 'مرداد' } })
  expect(days.rows[3]?.map(({ text }) => text)).toEqual(['·', '۳۱', '۳۰', '۲۹', '۲۸', '۲۷', '۲۶', '۲۵'])
  expect(parsePicker('birth:j:1375:5:12')).toEqual({ kind: 'date', iso: '1996-08-02' })
})

test('an English reader picks a Gregorian day, each row from left to right', () => {
  const range = birthRange(18, 65, today)
  expect(view('birth:open', range, 'en').rows[0]?.map(({ text }) => text)).toEqual(['1960–1969', '1970–1979'])
  expect(view('birth:g:1996', range, 'en').rows[2]?.map(({ text }) => text)).toEqual([
    'July',
    'August',
    'September',
  ])
  expect(parsePicker('birth:g:1996:8:2')).toEqual({ kind: 'date', iso: '1996-08-02' })
})

test('a participant who changes the language stays in the calendar of the picker', () => {
  const months = view('birth:j:1375', birthRange(18, 65, today), 'en')
  expect(months.chosen).toEqual({ year: '1375' })
  expect(months.rows[0]?.map(({ text }) => text)).toEqual(['Farvardin', 'Ordibehesht', 'Khordad'])
})

test.each([
  'birth:ok',
  'birth:other',
  'birth:pick:0',
  'birth:nop',
  'birth:j',
  'birth:j:9999',
  'birth:j:999',
  'birth:g:1700:1',
  'birth:j:137:5',
  'birth:j:1375:13',
  'birth:j:1375:0',
  'birth:j:1374:12:30',
  'birth:g:2023:2:29',
  'birth:j:1375:5:12:1',
  'begin:abc',
])('%s is not a picker button with a day or a step', (data) => {
  expect(parsePicker(data)).toBeUndefined()
})

test.each([
  ['birth:j:120', 'birth:j:119'],
  ['birth:j:1200', 'birth:j:1199'],
  ['birth:j:1599', 'birth:j:1600'],
  ['birth:g:1800', 'birth:g:1799'],
  ['birth:g:2199', 'birth:g:2200'],
])('%s is a step, %s is not', (first, beyond) => {
  expect([parsePicker(first) !== undefined, parsePicker(beyond)]).toEqual([true, undefined])
})

test('only what the range allows is offered, and a single row is not filled up', () => {
  const [first, last] = ['2001-03-01', '2001-04-30']
  const texts = (data: string, range: Range) =>
    view(data, range, 'en').rows.map((row) => row.map(({ text }) => text))
  expect(texts('birth:g:2001', { first, last })).toEqual([['March', 'April'], [labels.back]])
  expect(texts('birth:g:2001', { first, last: '2001-05-01' })).toEqual([
    ['March', 'April', 'May'],
    [labels.back],
  ])
  expect(texts('birth:open', { first, last })).toEqual([['2000–2009']])
  expect(view('birth:j:137', birthRange(18, 65, today), 'en').chosen).toEqual({ decade: '1370–1379' })
  expect(view('birth:j:137', birthRange(18, 65, today), 'fa').chosen).toEqual({ decade: '\u200f۱۳۷۰–۱۳۷۹' })
})
