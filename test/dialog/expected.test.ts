import { expect, test } from 'vitest'
import { expectedOf } from '../../src/dialog/expected.ts'
import { type Account, newAccount } from '../../src/domain/account.ts'
import { newDraft } from '../../src/domain/profile.ts'
import { newRecordFile, type RecordState } from '../../src/domain/record/record.ts'

const NOW = 10_000_000
const s = 'abc'
const draft = newDraft([{ limits: { minAge: null, maxAge: null, gender: 'both' } }])
const questions = { content: '', count: 7, sections: [] } as never
const profile: RecordState = { stage: 'profile', draft }
const loading: RecordState = { stage: 'loading' }
const answering: RecordState = { stage: 'questions', questions }

const waits = (ask: string): Partial<Account> => ({
  aside: { version: [0, 1], state: { [ask]: [] } },
})
const call = { id: 'id', kind: 'open', at: NOW }
const taking = { s: 'other', token: 'token', kind: 'record' } as const
const compares: Partial<Account> = {
  pending: { other: { ...call, takes: { taking, mobile: '09120000000', typed: [] } } },
}
const compared = { pending: { other: { ...compares.pending?.other, at: 0 } } } as Partial<Account>

test.each<
  [string, Partial<Account>, RecordState | undefined, Partial<Parameters<typeof expectedOf>[0]>, string]
>([
  ['nothing is open', {}, undefined, {}, 'nothing'],
  ['a profile is being made', {}, profile, {}, 'detail'],
  ['the record belongs to another account', {}, profile, { file: undefined }, 'nothing'],
  ['the profile was made just now', { pending: { [s]: call } }, loading, {}, 'outcome'],
  ['the questions were not loaded', {}, loading, {}, 'nothing'],
  ['a question is shown', {}, answering, {}, 'answer'],
  ['lines are waited for', waits('lines'), answering, { isOrganizer: true }, 'lines'],
  ['an id is waited for', waits('external-id'), profile, { isOrganizer: true }, 'external-id'],
  ['lines are waited for from a former organizer', waits('lines'), answering, {}, 'answer'],
  ['a mobile is waited for', waits('known-mobile'), profile, {}, 'known-mobile'],
  ['a mobile is compared', { ...waits('known-mobile'), ...compares }, profile, {}, 'outcome'],
  ['the comparison of a mobile was lost', compared, answering, {}, 'answer'],
])('%s', (_, account, state, known, is) => {
  const file = state && {
    ...newRecordFile({ s, token: 'token', seenAt: 1 }, 'record'),
    isBegun: true as const,
    state,
  }
  const ctx = { account: { ...newAccount(1), ...account }, now: NOW }
  expect(expectedOf({ ctx, isOrganizer: false, file, ...known }).is).toBe(is)
})
