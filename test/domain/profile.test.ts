import { expect, test } from 'vitest'
import {
  ageProblem,
  askElsewhere,
  askHere,
  type Draft,
  isMinor,
  needsGuardian,
  newDraft,
  profileProblems,
  readLimits,
} from '../../src/domain/profile.ts'

const TODAY = '2026-11-24'
const limits = { minAge: 18, maxAge: 40, gender: 'both' } as const
const anybody = { minAge: null, maxAge: null, gender: 'both' } as const
const role = (id: number) => ({ id, title: `r${id}`, limits: anybody })
const rolesOf = ({ people }: Draft) => people.map((person) => person.role?.id)

test('a draft holds the details of a person that need not be asked for', () => {
  expect(newDraft([{ limits: { ...anybody, gender: 'female' } }]).people).toStrictEqual([
    { limits: { ...anybody, gender: 'female' }, gender: 'female' },
  ])
  expect(newDraft([{ id: 3, limits: anybody, externalId: 7 }]).people).toStrictEqual([
    { role: { id: 3, title: '' }, limits: anybody, externalId: 7 },
  ])
})

test.each([
  [2, true, [1, 3]],
  [4, false, [1, 2, 3]],
])('role %d can be left to another phone: %s', (id, isSo, left) => {
  const draft = newDraft([role(1), role(2), role(3)])
  expect(askElsewhere(draft, id)).toBe(isSo)
  expect(rolesOf(draft)).toEqual(left)
})

test('the last person stays in the draft', () => {
  const draft = newDraft([role(1)])
  expect([askElsewhere(draft, 1), rolesOf(draft)]).toEqual([false, [1]])
})

test('a role that comes back to the draft stands in its place, once', () => {
  const draft = newDraft([role(3), role(1)])
  askHere(draft, role(2), [3, 2, 1])
  expect(rolesOf(draft)).toEqual([3, 2, 1])
  draft.people = draft.people.map((person) => ({ ...person, name: 'x' }))
  askHere(draft, role(2), [3, 2, 1])
  expect(draft.people.map(({ name }) => name)).toEqual(['x', undefined, 'x'])
})

test.each([
  ['2008-11-25', undefined, true],
  ['2008-11-24', undefined, false],
  ['2008-11-25', true, false],
  [undefined, undefined, false],
] as const)('born on %s, guardian agreed %s: a guardian is needed: %s', (birth, guardian, isSo) => {
  expect(needsGuardian({ limits: anybody, birth, guardian }, TODAY)).toBe(isSo)
})

test.each([
  ['2008-11-25', 50, true],
  ['2008-11-25T00:00:00Z', 50, true],
  ['2008-11-24', 5, false],
  ['2008-11-24T00:00:00Z', 5, false],
  ['2008-11-245', 5, true],
  ['1387', 17, true],
  [null, 17, true],
  [null, 18, false],
  [null, null, false],
])("a profile born on %j, aged %j, is a minor's: %s", (birth, age, isSo) => {
  expect(isMinor({ birth, age }, TODAY)).toBe(isSo)
})

test.each([
  [17, 'too_young'],
  [18, undefined],
  [40, undefined],
  [41, 'too_old'],
])('with limits of 18 to 40, the age of %d is %s', (age, problem) => {
  expect(ageProblem(limits, age)).toBe(problem)
  expect(ageProblem(anybody, age)).toBeUndefined()
})

const known = { limits, name: 'سارا راد', birth: '1996-08-02', gender: 'female' } as const
test.each<[string, Partial<Draft['people'][0]>, string[]]>([
  ['all is given', {}, []],
  ['the name is missing', { name: undefined }, ['name missing']],
  ['the name is not valid', { name: 'x1' }, ['name name']],
  ['the birth is missing', { birth: undefined }, ['birth missing']],
  ['somebody is too young', { birth: '2020-01-01' }, ['birth age']],
  ['the gender is missing', { gender: undefined }, ['gender missing']],
  [
    'the gender is missing and limited',
    { gender: undefined, limits: { ...limits, gender: 'male' } },
    ['gender missing'],
  ],
  ['the gender is allowed', { limits: { ...limits, gender: 'female' } }, []],
  ['the gender is another', { limits: { ...limits, gender: 'male' } }, ['gender gender']],
])('the problems where %s', (_, changes, found) => {
  const draft = { people: [known, { ...known, ...changes }], mobile: '09123456789' }
  const problems = profileProblems(draft, TODAY)
  expect(problems.map(({ field, code }) => `${field} ${code}`)).toEqual(found)
  for (const { person } of problems) expect(person).toBe(1)
})

test.each([undefined, '0912', '9123456789'])('%s is not a mobile', (mobile) => {
  const mobiles = [{ person: 0, field: 'mobile', code: 'mobile' }]
  expect(profileProblems({ people: [known], mobile }, TODAY)).toEqual(mobiles)
})

test.each([
  [18, 40, 'both', 18, 40, 'both'],
  [0, 0, ' Male ', null, null, 'male'],
  [-1, -1, 'm', null, null, 'male'],
  [1, 119, 1, 1, 119, 'male'],
  [null, 120, 2, null, null, 'female'],
  [undefined, 121, 'F', null, null, 'female'],
  [1, 1, 'female', 1, 1, 'female'],
  [1, 1, 0, 1, 1, 'both'],
  [1, 1, null, 1, 1, 'both'],
])('limits of %s, %s, %s are read as %s, %s, %s', (min, max, permission, minAge, maxAge, gender) => {
  expect(readLimits(min, max, permission)).toEqual({ minAge, maxAge, gender })
})
