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

/** A record in the form of commit 3b94e08: with its account beside its state. */
const keptThen = (state: object, beside: object = mine): unknown =>
  JSON.parse(JSON.stringify({ ...common, ...beside, state }))

describe('a record in the form of 3b94e08 is read in the present form', () => {
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

  test('typed details stay to be deleted, and a test stays in its roadmap', () => {
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
/** The same with the account of the role as an assignee, and the guardian's consent without time and text. */
const assignee = { is: 'taken', ...accepted, agreements: [{ by: 'guardian' }] }
const now = { ...part, hands: [{ role, code, finishedBefore, assignee }] }

test('a roadmap in the form of 3b94e08 is read in the present form', () => {
  const state = { stage: 'generating', expectedMinutes: '5-10' }
  const file = recordFiles.read(keptThen(state, { ...mine, roadmap: { ...part, isOpened: true } }), 2)
  expect(file).toEqual({
    ...common,
    ...{ isBegun: true, chatId: 1001, state },
    roadmap: { ...now, isOpened: true },
  })
})

describe('the account of a record in the form of 3b94e08 leaves the file', () => {
  const state = { stage: 'new' }
  test.each([[{}], [{ owner: 'account' }], [{ isLeft: true }], [{ isReleased: true }]])('%j', (whose) => {
    const file = recordFiles.read({ ...common, state, ...whose }, 2)
    const isBegun = Object.keys(whose).length > 0 ? true : undefined
    expect(file).toEqual({ ...common, state, isBegun })
  })
})

test('a record in the present form is read as it is', () => {
  const file = newRecordFile({ s: 'abc', token: 'token', seenAt: 1 }, 'roadmap')
  expect(recordFiles.read(JSON.parse(JSON.stringify(file)), recordFiles.version)).toEqual(file)
})

test('a document of a later version is read without its new fields', () => {
  const kind = document('x', { schema: z.object({ a: z.number() }) })
  expect(kind.read({ a: 1, b: 2 }, kind.version + 1)).toEqual({ a: 1 })
})

describe('an invalid record is refused, and not repeated', () => {
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
    ['of an older version, marked as this one', file, recordFiles.version],
    ['of before 1.0.0', file, 1],
    ['nothing', null, 2],
    ['a word', SECRET, 2],
    ['a list', [SECRET], 2],
    ['without a stage', { ...file, state: {} }, 2],
    ['in an unknown stage', { ...file, state: { stage: SECRET } }, 2],
    ['a number for a title', { ...file, test: { title: 5, limits, [SECRET]: SECRET } }, 2],
    ['a stage without its fields', { ...file, state: { stage: 'code' } }, 2],
    ['reasons that are no texts', { ...file, state: { stage: 'failed', reasons: [{ [SECRET]: 1 }] } }, 2],
    ['an unknown state', { ...common, state: { stage: SECRET } }, recordFiles.version],
    [
      'a state without its fields',
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
  'with %i days of retention an account outlives its unfinished records, even after its name left them',
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

  test('a version is one more than its upgrades', () => {
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

  test('a later version is read, as it only adds fields', () => {
    expect(kind.read({ c: 42 }, 4)).toEqual({ c: 42 })
  })

  test('a field outside of the schema is dropped', () => {
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

describe('an owner in the form of 3b94e08 is read as an assignee', () => {
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
      'released, with only the mark kept',
      { tries: 3, mobileOf: 't' },
      { is: 'released', tries: 3, mobileOf: 't' },
    ],
    ['released to begin again', { before: ['sara'] }, { is: 'free', before: ['sara'] }],
    ['forgotten', { who: 'sara', forgotten: true }, { is: 'left', who: 'sara' }],
    ['invited role by role', { who: 'roles' }, { is: 'left' }],
  ])('%s', (_, kept, assignee) => {
    expect(assignees.read(kept, 1)).toEqual(assignee)
  })

  test.each([
    ['waiting', {}, { is: 'invited' }],
    ['accepted', { who: 'reza', chatId: 7, consent }, { is: 'taken', who: 'reza', chatId: 7, consent }],
    ['released', { tries: 1, before: ['reza'] }, { is: 'released', tries: 1, before: ['reza'] }],
  ])('a role with an invitation that is %s', (_, hand, assignee) => {
    const kept = {
      ...common,
      state: { stage: 'board' },
      roadmap: { ...part, hands: [{ role, code, finishedBefore, ...hand }] },
    }
    expect(recordFiles.read(kept, 2).roadmap?.hands).toEqual([{ role, code, finishedBefore, assignee }])
  })
})

test('a delivery kept for a blocked chat in the form of 3b94e08 goes on at the next /start', () => {
  const onBehalf = { who: 'sara', chatId: 1, epoch: 0, language: 'fa' }
  const body = { s: 'k3Zq8xW0', onBehalf, isRepeat: true }
  expect(blockedDeliveries.read({ results: [body] }, 1)).toEqual({
    waiting: [{ actor: 'result:k3Zq8xW0', body }],
  })
})

test('an album in the form of 3b94e08 is owed picture by picture', () => {
  const to = { chatId: 1, language: 'fa' }
  const parts = [
    { ...to, kind: 'album', index: 2, count: 3 },
    { ...to, kind: 'text', index: 0 },
  ]
  const pictures = [2, 3, 4].map((index) => ({ ...to, kind: 'picture', index }))
  expect(owedResults.read({ date: 7, parts }, 1)).toEqual({ date: 7, parts: [...pictures, parts[1]] })
})
