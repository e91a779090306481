import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readEntries, type VariableKind } from '../../src/texts/entries.ts'
import { writeKeyTypes } from '../../src/texts/key-types.ts'
import { type Language, loadTexts, readLocale } from '../../src/texts/texts.ts'

const [fa, en] = [readEntries(readLocale('fa')), readEntries(readLocale('en'))]

test('keys.ts is what `npm run texts` writes', () => {
  const written = readFileSync(new URL('../../src/texts/keys.ts', import.meta.url), 'utf8')
  expect(written).toBe(writeKeyTypes(readLocale('fa'), readLocale('en')))
})

test('both languages hold the same texts in the same order', () => {
  expect(en.map(({ key }) => key)).toEqual(fa.map(({ key }) => key))
})

test('both languages use the same variables', () => {
  const names = (entries: typeof fa) =>
    entries.map(({ key, variables }) => [key, ...variables.keys()].join(' '))
  expect(names(en)).toEqual(names(fa))
})

test('in Persian no line begins with a command, which would turn the line', () => {
  const lines = readLocale('fa').split('\n')
  expect(lines.filter((line) => /(?:^\s+|^[\w.-]+ = )[^\p{L}]*\/\w/u.test(line))).toEqual([])
})

const samples: Record<VariableKind, readonly (string | number | Date)[]> = {
  number: [0, 1, 2, 21, 567],
  Date: [new Date('1996-08-02T00:00:00Z')],
  any: ['<b>سارا & Co'],
}

describe.each<[Language, typeof fa]>([
  ['fa', fa],
  ['en', en],
])('in %s', (language, entries) => {
  const translate = loadTexts().for(language) as unknown as (key: string, variables: object) => string
  const render = (entry: (typeof fa)[number], index: number) => {
    const pick = (kind: VariableKind) => samples[kind][index % samples[kind].length]
    return translate(
      entry.key,
      Object.fromEntries([...entry.variables].map(([name, kind]) => [name, pick(kind)])),
    )
  }

  test.each(entries.map((entry) => [entry.key, entry] as const))('%s can be said', (_key, entry) => {
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
