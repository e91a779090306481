import { describe, expect, test } from 'vitest'
import { keepTokensInOrder, withDirection, withoutNeedlessMarks } from '../../src/texts/direction.ts'
import { isRightToLeft, LANGUAGE_CODES } from '../../src/texts/languages.ts'
import { loadTexts, raw, readLocale } from '../../src/texts/texts.ts'
import { readEntries } from '../../tools/texts/entries.ts'
import { texts } from '../words.ts'

/** Makes direction marks visible. */
const MARKS: Record<string, string> = { '\u200e': '[L]', '\u200f': '[R]', '\u2068': '[', '\u2069': ']' }
const shown = (text: string) =>
  text
    .replace(/\u2066([^\u2069]*)\u2069/g, '<LRI>$1<PDI>')
    .replace(/[\u200e\u200f\u2068\u2069]/g, (mark) => MARKS[mark] ?? '')
const fromTheRight = (text: string) => withDirection(text, true)

describe('in a Persian text', () => {
  test.each([
    ['با /forget پاک کنید', 'با [L]/forget[L] پاک کنید'],
    ['/start یا /tests.', '[L]/start[L] یا [L]/tests[L].'],
    ['به @porsa_bot بنویسید', 'به [L]@porsa_bot[L] بنویسید'],
    ['نمره -1.5 و −۲٫۵', 'نمره [L]-1.5[L] و [L]−۲٫۵[L]'],
    ['تماس: 021-12345678 داخلی ۳', 'تماس: [L]021-12345678[L] داخلی ۳'],
    ['تماس: +98 21 1234 5678', 'تماس: [L]+98 21 1234 5678[L]'],
    ['تماس: 0912 345 6789', 'تماس: [L]0912 345 6789[L]'],
    ['تماس: ۰۲۱-۸۸۷۷۶۶۵۵ داخلی ۳', 'تماس: [L]۰۲۱-۸۸۷۷۶۶۵۵[L] داخلی ۳'],
    ['تماس: ۰۲۱ - ۸۸۷۷ ۶۶۵۵.', 'تماس: [L]۰۲۱ - ۸۸۷۷ ۶۶۵۵[L].'],
    ['تماس: ۰۹۱۲ ۳۴۵ ۶۷۸۹', 'تماس: [L]۰۹۱۲ ۳۴۵ ۶۷۸۹[L]'],
    ['تماس: +۹۸ ۹۱۲ ۳۴۵ ۶۷۸۹', 'تماس: [L]+۹۸ ۹۱۲ ۳۴۵ ۶۷۸۹[L]'],
    ['تاریخ ۱۴۰۵-۰۸-۲۹', 'تاریخ [L]۱۴۰۵-۰۸-۲۹[L]'],
    ['شماره: <code>12345-67</code> است', 'شماره: [L]<code>12345-67</code>[L] است'],
    ['«46816041-2eb0-42b6-92b8-23b7207eeb48»', '«[L]46816041-2eb0-42b6-92b8-23b7207eeb48[L]»'],
    ['«46816041-2345-1234-1234-123456789012»', '«[L]46816041-2345-1234-1234-123456789012[L]»'],
  ])('%s is held together', (text, held) => {
    expect(shown(keepTokensInOrder(text))).toBe(held)
  })

  test.each([
    'موبایل: <code>09123456789</code>',
    'تولد: ۱۳۷۵/۵/۱۲ (۱۹۹۶/۰۸/۰۲)',
    'برای ۱۸-۶۵ سال',
    'برای ۰-۵ سال',
    'ساعت ۰۸-۱۶',
    'تماس: ۰۲۱۸۸۷۷۶۶۵۵',
    'پرونده: PR-1405/00127',
    'آزمون SCL-90-R',
    'نامه: demo-1@example.org',
    'https://t.me/porsa_bot?start=record_0-1 را باز کنید',
    '<a href="https://example.org/privacy -1">سیاست</a>',
    'بله/خیر، و/یا',
    'پاک <b>نشد</b>',
  ])('%s stays as it is', (text) => {
    expect(keepTokensInOrder(text)).toBe(text)
  })

  test('two marks are never side by side', () => {
    const held = keepTokensInOrder('\u200e/start\u200e /tests\u200f')
    expect(shown(held)).toBe('[L]/start[L] [L]/tests[R]')
    expect(keepTokensInOrder(held)).toBe(held)
  })

  test('a line that begins with Latin letters still reads from the right', () => {
    expect(shown(fromTheRight('<b>SCL-90-R</b>\nسلام GAD\n۱. GAD-7'))).toBe(
      '[R]<b>SCL-90-R</b>\nسلام GAD\n[R]۱. GAD-7',
    )
    expect(shown(fromTheRight('<b>۱.</b> #4711 · آماده\n<b>۲.</b> #4712\nشناسه: #4713'))).toBe(
      '[R]<b>۱.</b> #4711 · آماده\n[R]<b>۲.</b> #4712\nشناسه: #4713',
    )
  })

  test.each([
    ['← <b>۲</b>', '[R]← <b>۲</b>'],
    ['← <b>-1</b>', '[R]← <b><LRI>-1<PDI></b>'],
    ['<b>-3 تا +3</b>', '[R]<b><LRI>-3<PDI> تا [L]+3[L]</b>'],
    ['۱. -3 تا +3', '[R]۱. <LRI>-3<PDI> تا [L]+3[L]'],
    ['+98 21 1234 5678 (هر روز)', '[R]<LRI>+98 21 1234 5678<PDI> (هر روز)'],
    ['• <code>12-3</code> (گروه)', '[R]• <LRI><code>12-3</code><PDI> (گروه)'],
    ['نمره -1', 'نمره [L]-1[L]'],
    ['—', '—'],
  ])('%s reads from the right, whatever its first character is', (text, expected) => {
    const said = withoutNeedlessMarks(fromTheRight(keepTokensInOrder(text)))
    expect(shown(said)).toBe(expected)
  })

  test.each([
    ['<b>I feel nervous.</b>', '[R]<b>I feel nervous.</b>[L]'],
    ['۲. Nervous?', '[R]۲. Nervous?[L]'],
    ['Part A (GAD-7)', '[R]Part A (GAD-7)[L]'],
    ['SCL-90-R', '[R]SCL-90-R'],
    ['GAD-7: خوبید؟', '[R]GAD-7: خوبید؟'],
  ])('the punctuation of %s is where its line ends', (text, expected) => {
    expect(shown(fromTheRight(text))).toBe(expected)
  })
})

test('the text function adds the marks, in Persian only', () => {
  const texts = loadTexts({ organizerName: 'x', organizerContact: '021-88776655' })
  expect(shown(texts.for('fa')('forget-service'))).toContain(': [L]021-88776655[L]')
  expect(shown(texts.for('en')('forget-service'))).toContain(': 021-88776655')
  expect(shown(texts.for('fa')('intro-title', { title: 'GAD-7' }))).toBe('[R]<b>GAD-7</b>')
  expect(shown(texts.for('fa').plain('unknown-command'))).toMatch(/\[L\]\/help\[L\]$/)
  expect(texts.for('fa')('result-score', { score: raw('−۲') })).toBe('نمره \u200e−۲\u200e')
})

test.each([
  ['letters', 'a'],
  ['digits', '1'],
  ['Persian digits', '۱'],
  ['dots', '.'],
  ['signs', '+'],
  ['open tags', '<'],
  ['open codes', '<code>'],
  ['addresses without an end', 'a@'],
  ['names', '@a'],
  ['commands', '/a'],
  ['entities', '&a'],
  ['groups', '1-1'],
  ['groups apart', '0 1-'],
  ['Persian groups', '۰۱۱ - '],
  ['schemes', 'a:/'],
  ['lines', 'a\n'],
  ['values', '\u2068a\u2069'],
  ['open values', '\u2068a\n'],
])('100,000 %s cost little time', (_name, part) => {
  const text = part.repeat(100_000 / part.length)
  const before = process.cpuUsage()
  withoutNeedlessMarks(withDirection(fromTheRight(keepTokensInOrder(text)), false))
  // One pass takes about 10 ms; a new start at each letter took minutes. CPU time is measured, so that the
  // load of the machine does not matter.
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_500)
})

const VALUES = ['مریم احمدی', 'Burnout (MBI) 2', 'آزمون SCL-90'] as const
const PERSIAN_LETTER = /\p{Script=Arabic}/u
const LATIN_LETTER = /\p{Script=Latin}/u
/** Parts that are copied or followed as they are. */
const AS_IT_STANDS = /<code>[^<]*<\/code>|<[^<>]*>|https?:\S+|[/@][a-z]\w*/g
const ISOLATED = /\u2068[^\u2069]*\u2069/g

/** The flaws of the lines of a text that was rendered with this value. */
function flaws(text: string, value: string, isRtl: boolean): string[] {
  const [own, other] = isRtl ? [PERSIAN_LETTER, LATIN_LETTER] : [LATIN_LETTER, PERSIAN_LETTER]
  const found: string[] = []
  for (const line of text.split('\n')) {
    const words = line.replaceAll(`@${value}`, '').replace(AS_IT_STANDS, '')
    const outside = words.replace(ISOLATED, '')
    if (/<code>[^<]*[\u2068\u2069]|@\u2068/.test(line)) found.push(`copied along: ${line}`)
    if (/[\u2068\u2069]/.test(outside)) found.push(`open: ${line}`)
    // The whole line is the value.
    if (!/\p{L}/u.test(outside.replaceAll(value, ''))) continue
    const isOther = isRtl ? /^\P{L}*\p{Script=Latin}/u.test(value) : other.test(value)
    if (isOther && outside.includes(value)) found.push(`not by itself: ${line}`)
    const first = /[\p{L}\u200e\u200f]/u.exec(words)?.[0] ?? ''
    if (!own.test(first) && first !== (isRtl ? '\u200f' : '\u200e')) found.push(`turned: ${line}`)
  }
  return found
}

describe.each(LANGUAGE_CODES)('every text in %s', (language) => {
  const isRtl = isRightToLeft(language)
  const t = texts.for(language)
  const say = t as unknown as (key: string, variables: object) => string
  test.each(VALUES)('keeps %s isolated, and its lines on their side', (value) => {
    const found = readEntries(readLocale(language)).flatMap(({ key, variables }) => {
      const filled = [...variables].map(([name, kind]) => [
        name,
        kind === 'Date' ? new Date(0) : kind === 'number' ? 5 : value,
      ])
      return flaws(say(key, Object.fromEntries(filled)), value, isRtl).map((flaw) => `${key}: ${shown(flaw)}`)
    })
    expect(found).toEqual([])
  })
})

test('a value that is a whole line sets its direction; two values never change places', () => {
  const { for: say } = texts
  expect(say('en')('question-text', { text: 'نتیجهٔ GAD کو؟' })).not.toMatch(/[\u200e\u2068]/)
  expect(shown(say('fa')('reminder-next', { roadmap: '16 PF', title: 'Mood?' }))).toContain('«[Mood?]»')
  expect(say('fa')('own-id', { id: 'abc' })).not.toContain('\u2068')
})
