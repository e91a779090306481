import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../src/domain/durations.ts'
import { attemptExpiry } from '../src/storage/documents/retention.ts'
import type { DocumentKind } from '../src/storage/documents.ts'

const root = new URL('../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const wordsIn = (path: string) => read(path).split(/\s+/).filter(Boolean).length
/** The rows of a page's tables, without their heads. */
const rowsOf = (page: string) =>
  page
    .split('\n')
    .filter((line) => /^\| (?!---)/.test(line))
    .map((line) => line.slice(2, -2).split(' | '))

/** Which test tries each sentence of SECURITY.md; one without a test is no promise. */
const triedBy: Record<string, readonly string[]> = {
  'The store or a copy of it': ['test/process/thief.test.ts', 'test/storage/attempt-cipher.test.ts'],
  'Logs and metrics': ['test/process/thief.test.ts', 'test/observe/logger.test.ts'],
  'A link belongs': ['test/dialogs/claims.test.ts', 'test/dialogs/forget.test.ts'],
  'Nobody answers': ['test/dialog/attempt-owner.test.ts', 'test/dialogs/whose.test.ts'],
  'What is forgotten': [
    'test/process/thief.test.ts',
    'test/dialogs/expiry.test.ts',
    'test/dialogs/forget.test.ts',
  ],
}

describe('SECURITY.md', () => {
  const promises = rowsOf(read('SECURITY.md')).filter(([promise]) => promise !== 'promise')
  test.each(promises)('%s', (promise = '') => {
    const [, files = []] = Object.entries(triedBy).find(([begin]) => promise.startsWith(begin)) ?? []
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) expect(existsSync(new URL(file, root)), file).toBe(true)
  })
})

test('docs/threats.md names a test for whatever holds, in 450 words', () => {
  const threats = rowsOf(read('docs/threats.md')).filter(([who]) => who !== 'who')
  expect(threats.length).toBeGreaterThan(8)
  for (const row of threats) expect(row.at(-1)).toMatch(/^`test\/.+\.test\.ts`/)
  expect(wordsIn('docs/threats.md')).toBeLessThanOrEqual(450)
})

/** What each kind can hold that its term depends on. */
const samples: Record<string, readonly object[]> = {
  u: [{}, { hasResult: true }],
  r: ['profile', 'submitting', 'questions', 'done', undefined].map((stage) => ({
    isBegun: stage,
    state: { stage },
  })),
  i: [{}, { isClaimed: true }],
  v: [{}, { code: 'a' }, { code: 'a', overAt: 0 }, { minor: {}, until: 0 }],
  w: [{}],
  y: [{}, { isLasting: true }],
  ao: [{ asked: { a: 0 } }],
}

/** The days of every kind of document, with `RETENTION_DAYS` at 30. */
async function termsOf(): Promise<Map<string, Set<string>>> {
  const folder = new URL('src/storage/documents/', root)
  const modules = await Promise.all(readdirSync(folder).map((file) => import(new URL(file, folder).href)))
  const isKind = (value: unknown): value is DocumentKind<object> =>
    typeof value === 'object' && value !== null && 'prefix' in value && 'read' in value
  const kinds = modules.flatMap((module) => Object.values(module).filter(isKind))
  const days = (kind: Pick<DocumentKind<object>, 'expiresAt'>, value: object) => {
    const end = kind.expiresAt?.(value, { now: 0, retentionDays: 30 })
    return end === undefined ? 'no end' : String(Number((end / DAY_MS).toFixed(3)))
  }
  const terms = kinds.map((kind): [string, Set<string>] => [
    kind.prefix,
    new Set((samples[kind.prefix] ?? [{ at: 0 }]).map((value) => days(kind, value))),
  ])
  const attempt = { expiresAt: (_: object, term: Parameters<typeof attemptExpiry>[0]) => attemptExpiry(term) }
  return new Map([...terms, ['s', new Set([days(attempt, {})])]])
}

test('docs/privacy.md names every kind of document with its true terms, in 650 words', async () => {
  const rows = rowsOf(read('docs/privacy.md')).filter((row) => row.length === 4 && row[0] !== 'what')
  const terms = await termsOf()
  const named = rows.flatMap(([, , kinds = '']) =>
    [...kinds.matchAll(/`(\w+)`/g)].map(([, kind = '']) => kind),
  )
  expect(named.sort()).toEqual([...terms.keys()].sort())
  for (const [what, , kinds = '', days = ''] of rows) {
    const kept = [...kinds.matchAll(/`(\w+)`/g)].flatMap(([, kind = '']) => [...(terms.get(kind) ?? [])])
    const told = days.split(', ')
    expect([...new Set(told)].sort(), what).toEqual([...new Set(kept)].sort())
  }
  expect(wordsIn('docs/privacy.md')).toBeLessThanOrEqual(650)
})
