import { expect, test } from 'vitest'
import { nameAmong, personOf, roleLabel, titleFor, titleOf } from '../../src/domain/record/names.ts'
import { newRecordFile, type RecordFile } from '../../src/domain/record/record.ts'
import type { RoadmapPart } from '../../src/domain/roadmap.ts'

const limits = { minAge: null, maxAge: null, gender: 'both' } as const

const mother = { id: 1, title: 'مادر', name: 'سارا' }
test.each([
  ['the name', mother, [mother, { id: 2, title: 'پدر', name: 'رضا' }], 'سارا'],
  [
    'the title as well, for two of one name',
    mother,
    [mother, { id: 2, title: 'فرزند', name: 'سارا' }],
    'مادر (سارا)',
  ],
  ['the title, with no name and the same title', { id: 1, title: 'مادر' }, [{ ...mother, id: 2 }], 'مادر'],
  ['the title, without a name', { id: 1, title: 'مادر' }, [mother, { id: 2, title: 'پدر' }], 'مادر'],
])('among others a person is called by %s', (_, role, all, called) => {
  expect(nameAmong(role, all)).toBe(called)
})

test('a role is labelled with its name once it has one', () => {
  expect([roleLabel(mother), roleLabel({ title: 'مادر' })]).toEqual(['مادر (سارا)', 'مادر'])
})

const file = (changes: Partial<RecordFile> = {}): RecordFile => {
  const known = newRecordFile({ s: 's', token: 't', seenAt: 0 }, 'record')
  return { ...known, caseNumber: 'C-1', test: { ...known.test, title: 'خواب' }, ...changes }
}
const people = [{ limits, name: 'سارا راد' }, { limits }]
const part: RoadmapPart = {
  roles: [mother, { id: 2, title: 'پدر', name: 'رضا' }, { id: 3, title: 'فرزند' }].map((role) => ({
    ...role,
    limits,
  })),
  records: [],
  hands: [{ role: 2, code: 'c', finishedBefore: 0, assignee: { is: 'taken', who: 'father' } }],
}

test.each<[string, Partial<RecordFile>, string | undefined]>([
  ['the known person', { person: 'نگار' }, 'نگار'],
  ['the typed name', { state: { stage: 'profile', draft: { people } } }, 'سارا'],
  ['the case number, without a name', {}, 'C-1'],
  ['nobody, without either', { caseNumber: undefined }, undefined],
  ['the names of the roles', { roadmap: part }, 'سارا، رضا'],
  [
    'three names at most',
    { roadmap: { ...part, roles: [1, 2, 3, 4].map((id) => ({ id, title: '', limits, name: `n${id}` })) } },
    'n1، n2، n3',
  ],
])('the person of a record is %s', (_, changes, person) => {
  expect(personOf(file(changes))).toBe(person)
  expect(titleOf(file(changes))).toBe(person ? `خواب · ${person}` : 'خواب')
})

test('an account that was named elsewhere sees only its own name', () => {
  expect(titleFor(file({ person: 'نگار' }), 'father', 'mother')).toBe('خواب · نگار')
  expect(titleFor(file({ roadmap: part }), 'mother', 'mother')).toBe('خواب · سارا، رضا')
  expect(titleFor(file({ roadmap: part }), 'father', 'mother')).toBe('خواب · رضا')
  expect(titleFor(file({ roadmap: part }), 'stranger', 'mother')).toBe('خواب')
  const hands = [1, 2, 3].map((role) => ({ ...part.hands[0], role }) as RoadmapPart['hands'][0])
  expect(titleFor(file({ roadmap: { ...part, hands } }), 'father', 'mother')).toBe('خواب · سارا، رضا')
})
