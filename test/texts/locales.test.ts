import { describe, expect, test } from 'vitest'
import { LANGUAGE_CODES } from '../../src/texts/languages.ts'
import { readLocale } from '../../src/texts/texts.ts'
import { readEntries, type VariableKind } from '../../tools/texts/entries.ts'
import { texts, word } from '../words.ts'

const files = LANGUAGE_CODES.map((language) => [language, readEntries(readLocale(language))] as const)
type Entries = ReturnType<typeof readEntries>

test.each(files)(
  '%s holds the same texts in the same order, with the same variables',
  (_language, entries) => {
    const names = (ofFile: Entries) =>
      ofFile.map(({ key, variables }) => [key, ...variables.keys()].join(' '))
    expect(names(entries)).toEqual(names(files[0]?.[1] ?? []))
  },
)

test('in Persian no line begins with a command, which would turn the line', () => {
  const lines = readLocale('fa').split('\n')
  expect(lines.filter((line) => /(?:^\s+|^[\w.-]+ = )[^\p{L}]*\/\w/u.test(line))).toEqual([])
})

const one = { title: 'Mood', done: 1, total: 1, answered: 1, options: 1, count: 1, days: 1 }
const ofPages = { ...one, page: 1, pages: 1, name: '7b' }

test.each([
  ...(['board-handed', 'paused', 'submit-sending', 'reminder-questions', 'option-out-of-range'] as const),
  ...(['notice-answers-expire', 'notice-result-expires'] as const),
  ...(['review-title', 'group-nudge-ask', 'roadmap-intro'] as const),
])('%s is correct for the number one in English', (key) => {
  expect(texts.for('en').plain(key, ofPages)).not.toMatch(/\b1 (?:\w+s|have)\b/)
})

test('a pause at the first question mentions no answers', () => {
  const said = word('paused', { title: 'حال', answered: 0, total: 567 })
  expect(said).toMatch(/^هنوز به پرسشی پاسخ نداده‌اید؛ آزمون «حال» سر جایش است\.\n\n/)
})

test.each([
  [
    word('drop-caption', { title: 'حال', begun: 12, finished: 7 }),
    /۱۲ نفر شروع کرده‌اند، ۷ نفر همه را پاسخ داده‌اند\.$/,
  ],
  [
    word('drop-caption', { title: 'حال', begun: 2, finished: 1 }),
    /۲ نفر شروع کرده‌اند، ۱ نفر همه را پاسخ داده است\.$/,
  ],
  [word('card-forgotten'), /خواسته است اطلاعاتش پاک شود/],
  [word('invite-forgotten', { title: 'حال' }), /خواسته است اطلاعاتش پاک شود/],
  [word('invite-batch', { lines: 3 }), /هر کدام در سرویس آزمون بررسی می‌شود/],
])('in Persian verbs agree, and the text names what is deleted or checked: %s', (said, expected) => {
  expect(said).toMatch(expected)
})

const samples: Record<VariableKind, readonly (string | number | Date)[]> = {
  number: [0, 1, 2, 21, 567],
  Date: [new Date('1996-08-02T00:00:00Z')],
  any: ['<b>سارا & Co'],
}

describe.each(files)('in %s', (language, entries) => {
  const translate = texts.for(language) as unknown as (key: string, variables: object) => string
  const render = (entry: Entries[number], index: number) => {
    const pick = (kind: VariableKind) => samples[kind][index % samples[kind].length]
    return translate(
      entry.key,
      Object.fromEntries([...entry.variables].map(([name, kind]) => [name, pick(kind)])),
    )
  }

  test.each(entries.map((entry) => [entry.key, entry] as const))('%s can be rendered', (_key, entry) => {
    for (const index of samples.number.keys()) {
      const text = render(entry, index)
      expect(text.trim()).not.toBe('')
      expect(text).not.toContain('{')
      expect(text).not.toContain('<b>سارا')
      expect(unclosedTags(text)).toEqual([])
    }
  })
})

const telegramTags = new Set(['b', 'i', 'u', 's', 'a', 'code', 'pre', 'blockquote', 'tg-spoiler'])

/** Tags that Telegram would refuse: unknown, unclosed or closed in another order. */
function unclosedTags(text: string): string[] {
  const open: string[] = []
  for (const [whole, slash, name = ''] of text.matchAll(/<(\/?)([\w-]+)[^>]*>/g)) {
    if (!telegramTags.has(name)) return [whole]
    if (!slash) open.push(name)
    else if (open.pop() !== name) return [whole]
  }
  return open
}
