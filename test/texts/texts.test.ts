import { expect, test } from 'vitest'
import { type Language, loadTexts, raw } from '../../src/texts/texts.ts'

/** Renders texts of two small files; their keys are not among the real ones, so the types are replaced. */
function textsOf(fa: string, en = fa) {
  const texts = loadTexts(undefined, (language) => (language === 'fa' ? fa : en))
  type Say = (key: string, variables?: Record<string, unknown>) => string
  return (language: Language) => texts.for(language) as unknown as Say & { plain: Say }
}

test('a string is escaped, a number gets the digits of the language', () => {
  const say = textsOf('score = <b>{ $name }</b>: { $count }')
  expect(say('fa')('score', { name: 'A<B', count: 1234 })).toBe('\u200f<b>A&lt;B</b>: ۱٬۲۳۴')
  expect(say('en')('score', { name: 'A<B', count: 1234 })).toBe('<b>A&lt;B</b>: 1,234')
})

test('trusted HTML is inserted unchanged', () => {
  expect(textsOf('outer = [{ $inner }]')('en')('outer', { inner: raw('<i>x</i>') })).toBe('[<i>x</i>]')
})

test('a label is plain: no tags, nothing escaped', () => {
  expect(textsOf('label = <b>{ $name }</b> &amp; co')('en').plain('label', { name: 'A<B' })).toBe('A<B & co')
})

test.each(['America/New_York', 'Asia/Tehran', 'Pacific/Auckland'])('a date is the same day in %s', (zone) => {
  const before = process.env.TZ
  process.env.TZ = zone
  try {
    const say = textsOf('born = { DATETIME($day, year: "numeric", month: "long", day: "numeric") }')
    const day = new Date('1996-08-02T00:00:00Z')
    expect(say('fa')('born', { day })).toBe('۱۲ مرداد ۱۳۷۵')
    expect(say('en')('born', { day })).toBe('2 August 1996')
  } finally {
    process.env.TZ = before
  }
})

test('an attribute is rendered by its full key', () => {
  expect(textsOf('errors-mobile =\n    .too_short = کوتاه')('fa')('errors-mobile.too_short')).toBe('کوتاه')
})

test('a text that is missing in one language stops the start', () => {
  expect(() => textsOf('a = x\nb = y', 'a = x')).toThrow('b')
  expect(() => textsOf('a = x\nb = y', 'a = x\nb = { $open')).toThrow('b')
  expect(() => textsOf('a = x\na = y')).toThrow('fa.ftl')
})

test('a text that cannot be rendered throws instead of showing its key', () => {
  const say = textsOf('a = { $x }\nb = { missing }')
  expect(() => say('fa')('a')).toThrow('Text a in fa')
  expect(() => say('fa')('b')).toThrow('Text b in fa')
  expect(() => say('fa')('c')).toThrow('No text c in fa')
})
