import { readdirSync, readFileSync } from 'node:fs'
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

/** Which tests try each sentence of SECURITY.md, and what holds each attack of docs/threats.md, by file and title. */
const triedBy: Record<string, Record<string, readonly string[]>> = {
  SECURITY_CONTACT: { 'dialogs/commands': ['/privacy'] },
  'The store or a copy of it shows no name, mobile, birth date, code, answer or result': {
    'process/thief': ['who steals the file, a backup, logs', 'who steals the dump of Redis, or listens'],
  },
  'sealed under keys that `DATA_KEY` wraps': {
    'storage/vault': [
      'neither wrapped nor wrapping keys stand in the store',
      'that was changed anywhere does not',
    ],
  },
  'two copies of one attempt tell whether an answer is the same, and no more': {
    'storage/attempt-cipher': ['two copies of a store that was put back tell of no answer'],
  },
  'Logs and metrics hold nothing personal': {
    'process/thief': ['who steals the file, a backup, logs, metrics'],
    'observe/server': ['/metrics counts what was done, under our name only'],
  },
  'a list of allowed fields': { 'observe/logger': ['what is not on the list never reaches a line'] },
  'A link belongs to the first account that begins': {
    'dialogs/claims': ['of two accounts that begin at the same moment one owns the test'],
  },
  'a keyed hash, which outlives `/forget`': {
    'dialogs/forget': ['a forgotten invitation opens for nobody, and tells nobody why'],
  },
  "Nobody answers somebody else's test": {
    'dialogs/taps': ['buttons of somebody else’s test do nothing'],
    'dialogs/foreign-attempt': ['an attempt that was put in the place of another is nobody’s'],
  },
  'the store compares the owner with every answer': {
    'dialog/attempt-owner': ['an attempt is its account’s until a release is committed'],
  },
  'What is forgotten is gone': {
    'process/thief': ['who steals the file, a backup, logs'],
    'dialogs/forgotten': ['brings nobody back'],
  },
  'a term for everything kept': { security: ['names every kind of document with its true terms'] },
  'deleted bytes are overwritten in SQLite': {
    'storage/sqlite-process': ['what was deleted or done leaves the files'],
  },
}

describe('SECURITY.md', () => {
  const page = read('SECURITY.md')
  const promises = rowsOf(page).filter(([promise]) => promise !== 'promise')

  test.each(Object.entries(triedBy))('%s', (sentence, tests) => {
    expect(page).toContain(sentence)
    for (const [file, titles] of Object.entries(tests))
      for (const title of titles) expect(read(`test/${file}.test.ts`), file).toContain(title)
  })

  test('promises nothing besides', () => {
    const tried = Object.keys(triedBy)
    const clauses = promises.flat().flatMap((cell) => cell.split('; '))
    expect(clauses.length).toBeGreaterThan(9)
    expect(clauses.filter((clause) => !tried.some((sentence) => sentence.includes(clause)))).toEqual([])
  })
})

/** What holds each attack of docs/threats.md, by the tests that the page names. */
const heldBy: Record<string, Record<string, string>> = {
  'a stranger': {
    'dialogs/claims': 'of two accounts that begin at the same moment one owns the test',
    'dialogs/taps': 'buttons of somebody else’s test do nothing and tell nothing',
  },
  'a crowd of strangers': {
    'dialogs/visits': 'an account that tries made-up links costs ten calls an hour',
    'dialogs/crowd': 'while forty people wait for the budget the chat of everybody else is free',
    'dialogs/sms-code': 'only ten codes a day go to one mobile, and for one test',
    'dialog/sms-limits': 'who has codes sent to strangers is refused after a hundred',
  },
  'a group': {
    'inbox/intake': 'to groups go five answers at once at most, and one a day to each',
    'telegram/client': 'groups that are refused hold up nobody but themselves',
  },
  'a questionnaire': {
    'service/addresses': 'a name that leads inside is not found, whoever has given it',
    'jobs/keep-pictures': '80 pictures of 5 MB are refused before they are all fetched',
    'process/killer': 'what kills the process three times is set aside',
  },
  'a result': { 'pictures/policy': 'Content-Security-Policy', 'views/csv': 'is no formula of a spreadsheet' },
  'a thief of store, backup, wire, logs, temporary files': { 'process/thief': 'finds nothing' },
  'one with two copies': { 'storage/attempt-cipher': 'two copies of a store that was put back' },
  'one who writes to the store': {
    'dialogs/older-document': 'put back as a whole before the eyes of the bot',
  },
  'a forger of webhooks or events': {
    'telegram/webhook': 'gets 401 and changes nothing',
    'organizers/events': 'signed with their time under each secret',
  },
  'a package': { supply: 'each package of the lockfile has the hash of what it is' },
}

test('docs/threats.md names what tries each attack, in 450 words', () => {
  const threats = rowsOf(read('docs/threats.md')).filter(([who]) => who !== 'who')
  expect(threats.map(([who]) => who)).toEqual(Object.keys(heldBy))
  for (const [who = '', , , tests] of threats) {
    const held = Object.entries(heldBy[who] ?? {})
    expect(tests).toBe(held.map(([file]) => `\`test/${file}.test.ts\``).join(', '))
    for (const [file, title] of held) expect(read(`test/${file}.test.ts`), file).toContain(title)
  }
  expect(wordsIn('docs/threats.md')).toBeLessThanOrEqual(450)
})

/** What each kind can hold that its term depends on. */
const samples: Record<string, readonly object[]> = {
  u: [{}, { hasResult: true }],
  r: [
    ...['profile', 'submitting', 'questions', 'done', undefined].map((stage) => ({
      isBegun: stage,
      state: { stage },
    })),
    ...[['invited'], ['invited', 'taken']].map((all) => ({
      isBegun: true,
      state: { stage: 'board' },
      roadmap: { hands: all.map((is) => ({ assignee: { is } })) },
    })),
  ],
  i: [{}, { isClaimed: true }],
  v: [{}, { code: 'a' }, { code: 'a', overAt: 0 }, { minor: {}, until: 0 }],
  vd: [{ at: 0 }, { at: 0, until: 14 * DAY_MS }, { at: 0, until: 366 * DAY_MS }],
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
  // In the order of the kinds; what is told once is true of each of them.
  for (const [what, , kinds = '', days = ''] of rows) {
    const each = [...kinds.matchAll(/`(\w+)`/g)].map(([, kind = '']) => [...(terms.get(kind) ?? [])].sort())
    const told = days.split('; ').map((one) => one.split(', ').sort())
    expect(told.length === 1 ? each.map(() => told[0]) : told, what).toEqual(each)
  }
  expect(wordsIn('docs/privacy.md')).toBeLessThanOrEqual(650)
})
