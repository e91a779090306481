import { expect, test } from 'vitest'
import {
  allFinished,
  awaitsConsent,
  awaitsGuardian,
  everyRecord,
  holderOf,
  mayAnswer,
  membersOf,
  missingRoles,
  needsHandOver,
  ownRole,
  type RoadmapPart,
  type RoleAssignment,
  recordsOf,
  roleNeedsGuardian,
  rolesAwaited,
  rolesHeldBy,
  toldApart,
} from '../../src/domain/roadmap.ts'

const none = { minAge: null, maxAge: null, gender: 'both' } as const
const waiting: RoleAssignment = { role: 2, code: 'abc', finishedBefore: 0, assignee: { is: 'invited' } }
const father = { is: 'taken', who: 'father', chatId: 7, language: 'en' } as const
const accepted: RoleAssignment = { ...waiting, assignee: father }
const withGuardian: RoleAssignment = { ...waiting, assignee: { ...father, agreements: [{ by: 'guardian' }] } }

function roadmap(changes: Partial<RoadmapPart> = {}): RoadmapPart {
  return {
    roles: [
      { id: 1, title: 'مادر', limits: none },
      { id: 2, title: 'پدر', limits: none },
      { id: 3, title: 'فرزند', limits: { ...none, maxAge: 17 } },
    ],
    records: [
      { s: 'a', token: 'ta', title: 'خانه', role: 1, isFinished: false },
      { s: 'b', token: 'tb', title: 'خانه', role: 2, isFinished: true },
    ],
    hands: [],
    ...changes,
  }
}

test.each([
  ['no account was invited', [], 'mother', true],
  ['no account was invited', [], 'father', false],
  ['an invitation waits', [waiting], 'mother', false],
  ['an invitation waits', [waiting], 'father', false],
  ['it was accepted', [accepted], 'mother', false],
  ['it was accepted', [accepted], 'father', true],
] as const)('while %s (%j), %s may answer: %s', (_, hands, who, may) => {
  expect(mayAnswer(roadmap({ hands: [...hands] }), 2, who, 'mother')).toBe(may)
})

const ids = (roles: readonly { id: number }[]) => roles.map(({ id }) => id)

test('each role has its own tests; a dropped test is still found', () => {
  const dropped = [{ s: 'c', token: 'tc', title: 'باغ', role: 1, isFinished: true }]
  const part = roadmap({ dropped })
  expect(recordsOf(part, 2).map(({ s }) => s)).toEqual(['b'])
  expect(everyRecord(part).map(({ s }) => s)).toEqual(['a', 'b', 'c'])
  expect(everyRecord(roadmap())).toHaveLength(2)
})

test.each([
  ['all roles if none is registered', [], [1, 2, 3]],
  ['the roles that are not registered', [1, 3], [2]],
  ['all roles if all are registered', [1, 2, 3], [1, 2, 3]],
])('profiles are missing for %s', (_, there, missing) => {
  const roles = roadmap().roles.map((role) =>
    there.includes(role.id) ? { ...role, isRegistered: true as const } : role,
  )
  expect(ids(missingRoles({ ...roadmap(), roles }))).toEqual(missing)
})

test('details are awaited from the roles on another phone that have given none', () => {
  const given = { ...accepted, role: 3, hasGiven: true } as const
  expect(ids(rolesAwaited(roadmap({ hands: [accepted, given] })))).toEqual([2])
})

test.each([
  ['a child without another phone', {}, 3, true],
  ['a child with an account of its own', { hands: [{ ...accepted, role: 3 }] }, 3, false],
  ['an adult', {}, 2, false],
  [
    'a child whose guardian has agreed',
    { roles: [{ id: 3, title: 'فرزند', limits: { ...none, maxAge: 17 }, guardian: true }] },
    3,
    false,
  ],
  ['a role up to 18', { roles: [{ id: 3, title: 'فرزند', limits: { ...none, maxAge: 18 } }] }, 3, false],
] as const)('%s waits for the guardian: %s', (_, changes, role, waits) => {
  expect(awaitsGuardian(roadmap({ ...changes } as Partial<RoadmapPart>), role)?.id).toBe(
    waits ? role : undefined,
  )
})

test.each([
  ['the only one it was given', { hands: [accepted] }, 'father', 2],
  ['none of two, on a shared phone', { hands: [accepted, { ...accepted, role: 3 }] }, 'father', undefined],
  ['none until the first account names it', {}, 'mother', undefined],
  ['the one that the first account named', { ownerRole: 2 }, 'mother', 2],
  [
    'none that another account named',
    { hands: [accepted, { ...accepted, role: 3 }], ownerRole: 2 },
    'father',
    undefined,
  ],
  ['none with an open invitation', { hands: [waiting], ownerRole: 2 }, 'mother', undefined],
  ['the only one without an invitation', { hands: [waiting, { ...waiting, role: 3 }] }, 'mother', 1],
  [
    'none if all are given away',
    { hands: [accepted], roles: roadmap().roles.slice(1, 2) },
    'mother',
    undefined,
  ],
])('the own role is %s', (_, changes, who, role) => {
  expect(ownRole(roadmap(changes), who, 'mother')?.id).toBe(role)
})

test('the account that began the roadmap holds a role until it is accepted', () => {
  expect(holderOf(roadmap({ hands: [waiting] }), 2, 'mother')).toBe('mother')
  expect(holderOf(roadmap({ hands: [accepted] }), 2, 'mother')).toBe('father')
  expect(ids(rolesHeldBy(roadmap({ hands: [accepted] }), 'mother', 'mother'))).toEqual([1, 3])
})

test.each([
  ['a role for children', 3, roadmap(), true],
  ['a role without limits', 2, roadmap(), false],
  [
    'a role whose person is under 18',
    2,
    roadmap({ roles: [{ id: 2, title: 'پدر', limits: none, isMinor: true }] }),
    true,
  ],
])('a guardian is needed for %s on its own account: %s', (_, role, part, needs) => {
  expect(roleNeedsGuardian(part, { ...accepted, role })).toBe(needs)
  expect(roleNeedsGuardian(part, { ...withGuardian, role })).toBe(false)
})

test('a child on its own account may answer after the guardian has agreed', () => {
  const hand = { ...accepted, role: 3 }
  expect(mayAnswer(roadmap({ hands: [hand] }), 3, 'father', 'mother')).toBe(false)
  expect(mayAnswer(roadmap({ hands: [{ ...withGuardian, role: 3 }] }), 3, 'father', 'mother')).toBe(true)
})

test.each([
  ['the first role of a fresh roadmap', {}, 1, 'mother', false],
  ['another role of a fresh roadmap', {}, 2, 'mother', true],
  ['the role that had the phone', { lastRoles: { mother: 2 } }, 2, 'mother', false],
  ['a role after another', { lastRoles: { mother: 2 } }, 1, 'mother', true],
  ['the only role of an account', { hands: [accepted] }, 2, 'father', false],
  [
    'a role after another that was given away',
    { hands: [accepted], lastRoles: { mother: 2 } },
    1,
    'mother',
    true,
  ],
])('a hand-over comes before %s: %s', (_, changes, role, who, stands) => {
  expect(needsHandOver(roadmap(changes), role, who, 'mother')).toBe(stands)
})

const agreed = roadmap().roles.map((role) => ({
  ...role,
  consent: { at: 1, language: 'fa', version: 2 } as const,
}))
const both = [accepted, { ...accepted, role: 3 }]

test.each([
  ['a child on the phone of the first account', {}, 3, 'mother', true],
  ['a child who has agreed', { roles: agreed }, 3, 'mother', false],
  ['an adult', {}, 2, 'mother', false],
  // That account agreed when it began.
  ['a child with an account of its own', { hands: [{ ...accepted, role: 3 }] }, 3, 'father', false],
  ['a child on the account of another role', { hands: both }, 3, 'father', true],
  [
    'the only one left on the phone of the first account',
    { hands: [accepted, { ...accepted, role: 1 }] },
    3,
    'mother',
    true,
  ],
  ['the only person of a roadmap', { roles: roadmap().roles.slice(2) }, 3, 'mother', false],
] as const)('%s agrees at the hand-over: %s', (_, changes, role, who, agrees) => {
  const part = roadmap({ ...changes } as Partial<RoadmapPart>)
  expect(awaitsConsent(part, role, who, 'mother')?.id).toBe(agrees ? role : undefined)
  // Even if the phone is with that person already.
  const held = { ...part, lastRoles: { [who]: role } }
  expect(needsHandOver(held, role, who, 'mother')).toBe(agrees)
})

test('roles with the same title are numbered, in the digits of their script', () => {
  const titles = ['فرزند', 'مادر', 'فرزند', 'Child', 'Child'].map((title, id) => ({ id, title }))
  const told = ['فرزند ۱', 'مادر', 'فرزند ۲', 'Child 1', 'Child 2']
  expect(toldApart(titles).map(({ title }) => title)).toEqual(told)
})

test('every account that takes part is a member once', () => {
  const hands = [accepted, { ...accepted, role: 3 }, { ...waiting, role: 1 }]
  expect(membersOf(roadmap({ hands }), { who: 'mother', chatId: 1 })).toEqual([
    { who: 'mother', chatId: 1, language: undefined },
    { who: 'father', chatId: 7, language: 'en' },
  ])
  expect(membersOf(roadmap({ hands }), { who: undefined, chatId: undefined }).map(({ who }) => who)).toEqual([
    'father',
  ])
  expect(membersOf(roadmap(), { who: 'mother', chatId: undefined })).toEqual([])
})

test('a roadmap is finished only when it has tests and all of them are finished', () => {
  expect(allFinished(roadmap())).toBe(false)
  expect(allFinished(roadmap({ records: [] }))).toBe(false)
  const records = roadmap().records.map((record) => ({ ...record, isFinished: true }))
  expect(allFinished(roadmap({ records }))).toBe(true)
})
