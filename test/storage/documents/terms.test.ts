import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../src/domain/durations.ts'
import type { RecordFile } from '../../../src/domain/record/record.ts'
import { attemptExpiry, expiry } from '../../../src/storage/documents/retention.ts'
import { type FileKind, fileIn, part, type Shape } from '../../domain/record-states.ts'

const oneInvited = {
  chatId: undefined,
  roadmap: {
    ...part,
    hands: [
      { role: 1, code: 'a', finishedBefore: 0, assignee: { is: 'taken', who: 'somebody' } },
      { role: 2, code: 'b', finishedBefore: 0, assignee: { is: 'invited' } },
    ],
  },
} satisfies Partial<RecordFile>
const now = 1_800_000_000_000
const daysOf = (until: number | undefined) => until && (until - now) / DAY_MS

test.each<[FileKind, Shape, Partial<RecordFile>, number | undefined, number | undefined]>([
  ['a record that nobody has begun', 'intro', {}, 7, 7],
  ['a record', 'profile: draft', {}, 30, 100],
  ['a record', 'code: draft sms', {}, 30, 100],
  ['a record', 'loading', {}, 30, 100],
  ['a record', 'questions: questions', {}, 97, 207],
  ['a record', 'elsewhere', {}, 97, 207],
  ['a record', 'profile: draft answered', {}, 90, 90],
  ['a record', 'submitting: questions', {}, 90, 90],
  ['a record', 'scored: questions', {}, 90, 90],
  ['a record', 'done: isOwed', {}, undefined, undefined],
  ['a record', 'done', {}, undefined, undefined],
  ['a record', 'loading', { stuckAt: now - DAY_MS }, 29, 99],
  ['a test of a roadmap', 'done', {}, 97, 207],
  ['a test of a roadmap', 'new', {}, 97, 207],
  ['a test of a roadmap', 'given: draft', {}, 30, 100],
  ['a roadmap with its board open', 'board', {}, 97, 207],
  ['a roadmap with its board open', 'generating', {}, 97, 207],
  ['a roadmap with its board open', 'board', oneInvited, 180, 308],
  ['a roadmap with its board open', 'done', oneInvited, undefined, undefined],
])('%s, %s, is kept for its days', (kind, shape, changes, ofThirty, ofHundred) => {
  const file = { ...fileIn(kind, shape), ...changes }
  const kept = [30, 100].map((retentionDays) => daysOf(expiry.record(file, { now, retentionDays })))
  expect(kept).toEqual([ofThirty, ofHundred])
})

test('every other kind is kept for its days', () => {
  const term = { now, retentionDays: 30 }
  const all: [number | undefined, number | undefined][] = [
    [expiry.account({}, term), 180],
    [expiry.account({ hasResult: true }, term), undefined],
    [expiry.questions(0, term), 157],
    [expiry.talk(0, term), 30],
    [expiry.token({}, term), 7],
    [expiry.token({ isClaimed: true }, term), undefined],
    [expiry.owed(0, term), 90],
    [expiry.unknown(0, term), HOUR_MS / DAY_MS],
    [expiry.nudge(0, term), 0.5],
    [expiry.told({}, term), HOUR_MS / DAY_MS],
    [expiry.told({ isLasting: true }, term), 180],
    [expiry.madeInvitation({}, term), undefined],
    [expiry.madeInvitation({ until: now + DAY_MS }, term), 181],
    [expiry.madeInvitation({ until: now - DAY_MS }, term), 180],
    [expiry.madeInvitation({ overAt: now - DAY_MS }, term), 180],
    [expiry.guardianLink({ until: now }), 14],
    [attemptExpiry(term), 30],
  ]
  expect(all.map(([until]) => daysOf(until))).toEqual(all.map(([, days]) => days))
})
