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

/** The tests of each sentence of SECURITY.md, by file and title. */
const triedBy: Record<string, Record<string, readonly string[]>> = {
  SECURITY_CONTACT: { 'dialogs/commands': ['/privacy'] },
  'The store or a copy of it shows no name, mobile, birth date, code, answer or result': {
    'process/thief': ['a thief of the file, a backup, logs', 'a thief of the dump of Redis'],
  },
  'sealed under keys that `DATA_KEY` wraps': {
    'storage/vault': [
      'no key is in the store, neither the wrapped nor the wrapping ones',
      'that was changed anywhere does not',
    ],
  },
  'two copies of one attempt tell whether an answer is the same, and no more': {
    'storage/attempt-cipher': ['two copies of a store show of an answer only whether it changed'],
  },
  'Logs and metrics hold nothing personal': {
    'process/thief': ['a thief of the file, a backup, logs, metrics'],
    'observe/server': ['/metrics counts the bot’s work, under its own prefix only'],
  },
  'a list of allowed fields': { 'observe/logger': ['a field that is not on the list never reaches a line'] },
  'A link belongs to the first account that begins': {
    'dialogs/claims': ['of two accounts that begin at the same moment only one gets the test'],
  },
  'a keyed hash, which outlives `/forget`': {
    'dialogs/forget': ['a forgotten invitation opens for no account, and others are not told why'],
  },
  "Nobody answers somebody else's test": {
    'dialogs/taps': ['buttons of another account’s test do nothing'],
    'dialogs/foreign-attempt': ['an attempt that was put in the place of another one belongs to no account'],
  },
  'the store compares the owner with every answer': {
    'dialog/attempt-owner': ['an attempt belongs to its account until a release is committed'],
  },
  'What is forgotten is gone': {
    'process/thief': ['a thief of the file, a backup, logs'],
    'dialogs/forgotten': ['restores no forgotten account'],
  },
  'a term for everything kept': { security: ['names every kind of document with its true terms'] },
  'deleted bytes are overwritten in SQLite': {
    'storage/sqlite-process': ['deleted values and handled messages leave the files'],
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

  test('makes no other promise', () => {
    const tried = Object.keys(triedBy)
    const clauses = promises.flat().flatMap((cell) => cell.split('; '))
    expect(clauses.length).toBeGreaterThan(9)
    expect(clauses.filter((clause) => !tried.some((sentence) => sentence.includes(clause)))).toEqual([])
  })
})

/** The test against each attack of docs/threats.md, in the files that the page names. */
const heldBy: Record<string, Record<string, string>> = {
  'a stranger': {
    'dialogs/claims': 'of two accounts that begin at the same moment only one gets the test',
    'dialogs/taps': 'buttons of another account’s test do nothing and reveal nothing',
  },
  'a crowd of strangers': {
    'dialogs/visits': 'an account that tries made-up links makes ten calls an hour',
    'dialogs/crowd': 'other chats are answered while forty people wait for the budget',
    'dialogs/sms-code': 'no more than ten codes a day go to one mobile, and for one test',
    'dialog/sms-limits': 'a sender of codes to strangers is refused after a hundred',
  },
  'a group': {
    'inbox/intake': 'groups get at most five replies at once, and each one a day',
    'telegram/client': 'refused groups delay only themselves',
  },
  'a questionnaire': {
    'service/addresses': 'a name that leads to an internal address is not resolved',
    'jobs/keep-pictures': '80 pictures of 5 MB are refused before they are all fetched',
    'process/killer': 'a message that kills the process three times is set aside',
  },
  'a result': { 'pictures/policy': 'Content-Security-Policy', 'views/csv': 'is no formula of a spreadsheet' },
  'a thief of store, backup, wire, logs, temporary files': { 'process/thief': 'finds nothing' },
  'one with two copies': { 'storage/attempt-cipher': 'two copies of a store show of an answer only' },
  'one who writes to the store': {
    'dialogs/older-document': 'put back as a whole while the bot runs is refused',
  },
  'a forger of webhooks or events': {
    'telegram/webhook': 'gets 401 and changes nothing',
    'organizers/events': 'signed with their time under each secret',
  },
  'a package': { supply: 'each package of the lockfile has the hash of its content' },
}

test('docs/threats.md names the tests of each attack, in 450 words', () => {
  const threats = rowsOf(read('docs/threats.md')).filter(([who]) => who !== 'who')
  expect(threats.map(([who]) => who)).toEqual(Object.keys(heldBy))
  for (const [who = '', , , tests] of threats) {
    const held = Object.entries(heldBy[who] ?? {})
    expect(tests).toBe(held.map(([file]) => `\`test/${file}.test.ts\``).join(', '))
    for (const [file, title] of held) expect(read(`test/${file}.test.ts`), file).toContain(title)
  }
  expect(wordsIn('docs/threats.md')).toBeLessThanOrEqual(450)
})

/** The contents of each kind of document on which its term depends. */
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

/** The terms of every kind of document in days, with `RETENTION_DAYS` at 30. */
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
  // In the order of the kinds; a single entry holds for each of them.
  for (const [what, , kinds = '', days = ''] of rows) {
    const each = [...kinds.matchAll(/`(\w+)`/g)].map(([, kind = '']) => [...(terms.get(kind) ?? [])].sort())
    const told = days.split('; ').map((one) => one.split(', ').sort())
    expect(told.length === 1 ? each.map(() => told[0]) : told, what).toEqual(each)
  }
  expect(wordsIn('docs/privacy.md')).toBeLessThanOrEqual(650)
})
