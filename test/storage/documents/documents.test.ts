import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { newAccount } from '../../../src/domain/account.ts'
import { DAY_MS } from '../../../src/domain/durations.ts'
import { newRecordFile } from '../../../src/domain/record/record.ts'
import {
  accounts,
  assignees,
  blockedDeliveries,
  owedResults,
  recordFiles,
} from '../../../src/storage/documents/kinds.ts'
import { document } from '../../../src/storage/documents.ts'

const limits = { minAge: 18, maxAge: null, gender: 'both' }
const common = {
  s: 'k3Zq8xW0',
  token: 'c0ffee00-1111-2222-3333-444455556666',
  externalId: 4711,
  test: { title: 'Mood', questions: 90, minutes: 15, limits },
  testsAuthRequired: true,
  seenAt: 1_790_000_000_000,
  keptAt: 1_790_000_100_000,
  caseNumber: 'C-17',
}
const mine = { owner: 'account', chatId: 1001 }
const questions = { content: 'sha256', count: 90 }

/** As it was kept: whose it was beside what it is. */
const keptThen = (state: object, beside: object = mine): unknown =>
  JSON.parse(JSON.stringify({ ...common, ...beside, state }))

describe('a record that 3b94e08 kept is read as what it is now', () => {
  test.each<[object, object]>([
    [{ stage: 'loading' }, { stage: 'loading' }],
    [
      { stage: 'questions', questions },
      { stage: 'questions', questions },
    ],
    [
      { stage: 'submitting', questions },
      { stage: 'submitting', questions },
    ],
    // An attempt to send the answers may have been accepted.
    [
      { stage: 'submitting', questions, isUnclear: true },
      { stage: 'submitting', questions: { ...questions, isAttempted: true } },
    ],
    [
      { stage: 'refused', questions, isUnclear: true },
      { stage: 'refused', questions: { ...questions, isAttempted: true } },
    ],
  ])('%j', (kept, state) => {
    expect(recordFiles.read(keptThen(kept), 2)).toEqual({ ...common, isBegun: true, chatId: 1001, state })
  })

  test('what was typed stays to be deleted, a test stays in its roadmap', () => {
    const beside = { typed: [7, 8], parent: { s: 'package', role: 2 } }
    expect(recordFiles.read(keptThen({ stage: 'new' }, beside), 2)).toMatchObject(beside)
  })
})

const part = {
  roles: [{ id: 1, title: 'Parent', limits, isMinor: true }],
  records: [{ s: 'test', token: 'token', title: 'Mood', role: 1, isFinished: true }],
  hands: [
    {
      role: 1,
      code: 'abcdefghijkl',
      finishedBefore: 0,
      who: 'other',
      chatId: 1002,
      language: 'en',
      consent: { at: 1_790_000_000_000, language: 'en', version: 1 },
      guardian: true,
    },
  ],
  lastRoles: { account: 1 },
}

const [{ role, code, finishedBefore, guardian: _, ...accepted } = { role: 0, code: '', finishedBefore: 0 }] =
  part.hands
/** The same with the account of the role as an assignee, and nothing known of when the guardian agreed, and to what. */
const assignee = { is: 'taken', ...accepted, agreements: [{ by: 'guardian' }] }
const now = { ...part, hands: [{ role, code, finishedBefore, assignee }] }

test('a roadmap that 3b94e08 kept is read as what it is now', () => {
  const state = { stage: 'generating', expectedMinutes: '5-10' }
  const file = recordFiles.read(keptThen(state, { ...mine, roadmap: { ...part, isOpened: true } }), 2)
  expect(file).toEqual({
    ...common,
    ...{ isBegun: true, chatId: 1001, state },
    roadmap: { ...now, isOpened: true },
  })
})

describe('what 3b94e08 kept of whose a record is leaves its file', () => {
  const state = { stage: 'new' }
  test.each([[{}], [{ owner: 'account' }], [{ isLeft: true }], [{ isReleased: true }]])('%j', (whose) => {
    const file = recordFiles.read({ ...common, state, ...whose }, 2)
    const isBegun = Object.keys(whose).length > 0 ? true : undefined
    expect(file).toEqual({ ...common, state, isBegun })
  })
})

test('what is kept now is read as it is', () => {
  const file = newRecordFile({ s: 'abc', token: 'token', seenAt: 1 }, 'roadmap')
  expect(recordFiles.read(JSON.parse(JSON.stringify(file)), recordFiles.version)).toEqual(file)
})

test('a document of a later version is read without what is new in it', () => {
  const kind = document('x', { schema: z.object({ a: z.number() }) })
  expect(kind.read({ a: 1, b: 2 }, kind.version + 1)).toEqual({ a: 1 })
})

describe('what is not what it should be is refused, and not repeated', () => {
  const SECRET = 'مریم ابهری'
  const file = { ...(keptThen({ stage: 'questions', questions }, { ...mine, roadmap: part }) as object) }

  function refusal(value: unknown, version: number): string {
    try {
      recordFiles.read(value, version)
    } catch (error) {
      return `${String(error)} ${JSON.stringify(error)} ${(error as Error).cause}`
    }
    return 'it was read'
  }

  test.each<[string, unknown, number]>([
    ['of a newer version', file, recordFiles.version + 1],
    ['of an older version, said to be of this one', file, recordFiles.version],
    ['of before 1.0.0', file, 1],
    ['nothing', null, 2],
    ['a word', SECRET, 2],
    ['a list', [SECRET], 2],
    ['without a stage', { ...file, state: {} }, 2],
    ['in a stage that there is not', { ...file, state: { stage: SECRET } }, 2],
    ['a number for a title', { ...file, test: { title: 5, limits, [SECRET]: SECRET } }, 2],
    ['a stage without what belongs to it', { ...file, state: { stage: 'code' } }, 2],
    ['reasons that are no words', { ...file, state: { stage: 'failed', reasons: [{ [SECRET]: 1 }] } }, 2],
    ['a state that there is not', { ...common, state: { stage: SECRET } }, recordFiles.version],
    [
      'a state without what belongs to it',
      { ...common, state: { stage: 'profile', draft: SECRET } },
      recordFiles.version,
    ],
  ])('%s', (_, value, version) => {
    const said = refusal(value, version)
    expect(said).toMatch(/Error/)
    expect(said).not.toContain('مریم')
  })
})

test.each([1, 30, 45, 60, 90, 365])(
  'with %i days of retention an account outlives what it left unfinished, also after its name has left that',
  (retentionDays) => {
    const nameLeaves = (retentionDays + 1) * DAY_MS
    const file = { ...newRecordFile({ s: 's', token: 't', seenAt: 0 }, 'roadmap'), isBegun: true as const }
    const ends = recordFiles.expiresAt?.(
      { ...file, state: { stage: 'board' } },
      { now: nameLeaves, retentionDays },
    )
    expect(ends).toBeLessThanOrEqual(accounts.expiresAt?.(newAccount(1), { now: 0, retentionDays }) ?? 0)
  },
)

describe('versions of a document', () => {
  const schema = z.object({ c: z.number() })
  const upgrades = [
    (value: unknown) => ({ b: Number((value as { a: string }).a) }),
    (value: unknown) => ({ c: (value as { b: number }).b + 1 }),
  ]
  const kind = document('x', { schema, upgrades })

  test('is one more than its upgrades', () => {
    expect(document('x', { schema }).version).toBe(1)
    expect(kind.version).toBe(3)
  })

  test.each([
    [1, { a: '41' }],
    [2, { b: 41 }],
    [3, { c: 42 }],
  ])('version %i is brought up to date', (version, value) => {
    expect(kind.read(value, version)).toEqual({ c: 42 })
  })

  test('a later version only adds: it is read', () => {
    expect(kind.read({ c: 42 }, 4)).toEqual({ c: 42 })
  })

  test('what the schema does not name is left behind', () => {
    expect(kind.read({ c: 42, d: 'dead' }, 3)).toEqual({ c: 42 })
  })

  test.each([
    [3, { c: '42' }],
    [3, undefined],
    [2, { b: 'no number' }],
  ])('version %i, %j is refused', (version, value) => {
    expect(() => kind.read(value, version)).toThrow(/^a kept value \(x\) /)
  })
})

describe('whose it was, as 3b94e08 kept it, is read as an assignee', () => {
  const consent = { at: 1_790_000_000_000, language: 'fa', version: 3 }

  test.each([
    ['taken', { who: 'sara', consent }, { is: 'taken', who: 'sara', consent }],
    ['answered', { who: 'sara', consent, isAnswered: true }, { is: 'over', who: 'sara', consent }],
    [
      'released for the same person',
      { consent, before: ['sara'], tries: 2 },
      { is: 'released', tries: 2, consent, before: ['sara'] },
    ],
    [
      'released, only the mark of it kept',
      { tries: 3, mobileOf: 't' },
      { is: 'released', tries: 3, mobileOf: 't' },
    ],
    ['released to begin anew', { before: ['sara'] }, { is: 'free', before: ['sara'] }],
    ['forgotten', { who: 'sara', forgotten: true }, { is: 'left', who: 'sara' }],
    ['invited role by role', { who: 'roles' }, { is: 'left' }],
  ])('%s', (_, kept, assignee) => {
    expect(assignees.read(kept, 1)).toEqual(assignee)
  })

  test.each([
    ['waits', {}, { is: 'invited' }],
    ['accepted', { who: 'reza', chatId: 7, consent }, { is: 'taken', who: 'reza', chatId: 7, consent }],
    ['released', { tries: 1, before: ['reza'] }, { is: 'released', tries: 1, before: ['reza'] }],
  ])('a role of which the invitation %s', (_, hand, assignee) => {
    const kept = {
      ...common,
      state: { stage: 'board' },
      roadmap: { ...part, hands: [{ role, code, finishedBefore, ...hand }] },
    }
    expect(recordFiles.read(kept, 2).roadmap?.hands).toEqual([{ role, code, finishedBefore, assignee }])
  })
})

test('what 3b94e08 kept for a blocked chat goes on at its next /start', () => {
  const onBehalf = { who: 'sara', chatId: 1, epoch: 0, language: 'fa' }
  const body = { s: 'k3Zq8xW0', onBehalf, isRepeat: true }
  expect(blockedDeliveries.read({ results: [body] }, 1)).toEqual({
    waiting: [{ actor: 'result:k3Zq8xW0', body }],
  })
})

test('what 3b94e08 laid out as an album is owed picture by picture', () => {
  const to = { chatId: 1, language: 'fa' }
  const parts = [
    { ...to, kind: 'album', index: 2, count: 3 },
    { ...to, kind: 'text', index: 0 },
  ]
  const pictures = [2, 3, 4].map((index) => ({ ...to, kind: 'picture', index }))
  expect(owedResults.read({ date: 7, parts }, 1)).toEqual({ date: 7, parts: [...pictures, parts[1]] })
})
