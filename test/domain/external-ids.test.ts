import { expect, test } from 'vitest'
import { newDraft } from '../../src/domain/profile.ts'
import { externalIdsOf, newRecordFile } from '../../src/domain/record/record.ts'

const limits = { minAge: null, maxAge: null, gender: 'both' } as const

test('each role takes its own external id into the draft', () => {
  const roles = [
    { id: 1, title: 'مادر', limits, externalId: 11 },
    { id: 2, title: 'پدر', limits },
    { id: 3, title: 'فرزند', limits, externalId: 13 },
  ]
  const draft = newDraft(roles)
  expect(draft.people.map(({ externalId }) => externalId)).toEqual([11, undefined, 13])
  const file = newRecordFile({ s: 's', token: 't', seenAt: 0 }, 'roadmap')
  const roadmap = { roles, records: [], hands: [] }
  expect(externalIdsOf({ ...file, roadmap, state: { stage: 'profile', draft } })).toEqual([11, 13])
})
