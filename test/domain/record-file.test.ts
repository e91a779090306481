import { expect, test } from 'vitest'
import {
  accountsOf,
  externalIdsOf,
  hasProfile,
  holdsOnlyCopy,
  isRoadmap,
  newRecordFile,
} from '../../src/domain/record/record.ts'
import { move, questionsAsked, rolesOpened } from '../../src/domain/record/transitions.ts'
import { fileIn, limits, part, type Shape, shapes, states } from './record-states.ts'

const opened = { s: 's', token: 't', seenAt: 0 }

test('a new record has no roles, a new roadmap has none yet, and both require a code', () => {
  const [record, roadmap] = (['record', 'roadmap'] as const).map((kind) => newRecordFile(opened, kind))
  expect(record).toMatchObject({ testsAuthRequired: true, state: { stage: 'new' } })
  expect(record && isRoadmap(record)).toBe(false)
  expect(roadmap?.roadmap).toEqual({ roles: [], records: [], hands: [] })
  expect(roadmap && isRoadmap(roadmap)).toBe(true)
})

const people = [{ limits, externalId: 11 }, { limits }]
const roles = [
  { id: 1, title: '', limits, externalId: 21, isRegistered: true as const },
  { id: 2, title: '', limits, externalId: 22 },
]
test.each([
  ['its own if nothing is typed', 'loading', undefined, [5]],
  ['with those of the people in the draft', 'profile', undefined, [5, 11]],
  ['with those of the roles without a profile', 'profile', { ...part, roles }, [5, 22]],
  ['its own if the profiles exist', 'board', { ...part, roles }, [5]],
  ['its own if it waits without a draft', 'waiting', undefined, [5]],
] as const)('external ids: %s', (_, stage, roadmap, ids) => {
  const state = stage === 'profile' ? { stage, draft: { people } } : { stage }
  expect(externalIdsOf({ ...newRecordFile(opened, 'record'), externalId: 5, state, roadmap })).toEqual(ids)
})

test('the accounts of a roadmap are the one that began it and those of its roles', () => {
  const file = newRecordFile(opened, 'record')
  expect(accountsOf(file, 'a')).toEqual(['a'])
  const hand = (is: 'taken' | 'invited') =>
    ({ role: 1, code: '', finishedBefore: 0, assignee: { is, who: 'b' } }) as never
  const roadmap = { ...part, hands: [hand('taken'), hand('invited')] }
  expect(accountsOf({ ...file, roadmap }, undefined)).toEqual(['b'])
})

/** The shapes for which the condition holds. */
const those = (holds: (shape: Shape) => boolean) => shapes.filter(holds)

test('complete answers are the only copy until the service has accepted them', () => {
  const complete = those((shape) => /^(submitting|refused)|answered/.test(shape))
  expect(those((shape) => holdsOnlyCopy(fileIn('a record', shape)))).toEqual(complete)
  const waiting = { ...states.waiting, answered: undefined }
  expect(holdsOnlyCopy({ ...fileIn('a record', 'waiting'), state: waiting })).toBe(false)
})

test('the profile exists unless the stage comes before it', () => {
  const before = those((shape) => /^(new|intro|profile|code)|^waiting: draft/.test(shape))
  expect(those((shape) => !hasProfile(fileIn('a record', shape)))).toEqual(before)
})

test('a field without a value does not exist', () => {
  const state = { ...states.waiting, answered: undefined }
  const opened = { ...fileIn('a roadmap that nobody has begun', 'waiting'), state }
  expect([move(opened, rolesOpened), opened.state]).toEqual([true, { stage: 'board' }])
  const asked = { ...fileIn('a record', 'waiting'), state }
  expect([move(asked, questionsAsked), asked.state]).toEqual([true, { stage: 'loading' }])
})
