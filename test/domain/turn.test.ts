import { expect, test } from 'vitest'
import type { RecordFile } from '../../src/domain/record/record.ts'
import type { RoadmapPart } from '../../src/domain/roadmap.ts'
import { isTheirTurn } from '../../src/domain/turn.ts'
import { fileIn, limits, part } from './record-states.ts'

const roles = [1, 2, 3].map((id) => ({ id, title: '', limits: { ...limits, minAge: null } }))
const taken = { is: 'taken', who: 'father' } as const
const hand = (role: number, changes: object = {}) => ({
  role,
  code: '',
  finishedBefore: 0,
  assignee: taken,
  ...changes,
})
const record = (role: number, isFinished: boolean) => ({
  s: `${role}`,
  token: '',
  title: '',
  role,
  isFinished,
})
const family = (finished: boolean[], changes: Partial<RoadmapPart> = {}): RoadmapPart => ({
  ...part,
  roles,
  records: finished.map((isFinished, at) => record(at + 1, isFinished)),
  hands: [hand(2)],
  ...changes,
})
const roadmapIn = (
  shape: 'profile: draft' | 'board' | 'failed: reasons' | 'generating',
  roadmap: RoadmapPart,
) => ({
  ...fileIn('a roadmap', shape),
  roadmap,
})

test.each<[string, RecordFile, string[]]>([
  ['a test begun by its own link', fileIn('a test of a roadmap', 'questions: questions'), ['mother']],
  ['a record with questions', fileIn('a record', 'questions: questions'), ['mother']],
  ['a record whose details are typed', fileIn('a record', 'profile: draft'), ['mother']],
  ['a record that is done', fileIn('a record', 'done'), []],
  ['a roadmap with details from both', roadmapIn('profile: draft', family([false])), ['mother', 'father']],
  [
    'two roles give their own details',
    roadmapIn(
      'profile: draft',
      family([false], { hands: [hand(2), hand(3, { assignee: { ...taken, who: 'son' } })] }),
    ),
    ['mother', 'father', 'son'],
  ],
  [
    'a role has given its details',
    roadmapIn('profile: draft', family([false], { hands: [hand(2, { hasGiven: true })] })),
    ['mother'],
  ],
  ['a board with tests of both', roadmapIn('board', family([false, false])), ['mother', 'father']],
  ['a board where one is done', roadmapIn('board', family([true, false])), ['father']],
  ['a board where the other is done', roadmapIn('board', family([false, true])), ['mother']],
  ['a board where all is done', roadmapIn('board', family([true, true])), ['mother']],
  [
    'a child whose guardian has not agreed',
    roadmapIn(
      'board',
      family([true, false], { roles: roles.map((role) => ({ ...role, isMinor: true as const })) }),
    ),
    ['father'],
  ],
  ['an analysis that failed', roadmapIn('failed: reasons', family([true, true])), ['mother']],
  ['an analysis under way', roadmapIn('generating', family([true, true])), []],
])('whose turn it is: %s', (_, file, whose) => {
  const all = ['mother', 'father', 'son', 'stranger']
  expect(all.filter((who) => isTheirTurn(file, who, 'mother'))).toEqual(whose)
})

const draft = {
  people: [{ name: 'n', birth: '1990-01-01', gender: 'female' as const, limits }],
  mobile: '0912',
}
const typed = (roadmap: RoadmapPart): RecordFile => ({
  ...roadmapIn('profile: draft', roadmap),
  state: { stage: 'profile', draft },
})
test.each<[string, RoadmapPart, string[]]>([
  ['the account that accepted has not given its details', family([false]), ['father']],
  ['nobody accepted yet', family([false], { hands: [hand(2, { assignee: { is: 'invited' } })] }), ['mother']],
  ['all details were given', family([false], { hands: [hand(2, { hasGiven: true })] }), ['mother']],
])('whose turn it is with all details typed on this phone: %s', (_, roadmap, whose) => {
  expect(['mother', 'father'].filter((who) => isTheirTurn(typed(roadmap), who, 'mother'))).toEqual(whose)
})

test.each<['submitting: questions' | 'waiting' | 'questions: questions', string[]]>([
  ['questions: questions', ['father']],
  ['submitting: questions', []],
  ['waiting', []],
])('whose turn it is with one test left, at %s', (shape, whose) => {
  const test = { ...fileIn('a test of a roadmap', shape), s: '2' }
  const file = roadmapIn('board', family([true, false]))
  expect(['mother', 'father'].filter((who) => isTheirTurn(file, who, 'mother', [test]))).toEqual(whose)
})

test("a test begun by a link of its own is nobody's turn in its roadmap", () => {
  const test = { ...fileIn('a test of a roadmap', 'questions: questions'), s: '2' }
  const file = roadmapIn('board', family([true, false]))
  expect(['mother', 'father'].filter((who) => isTheirTurn(file, who, 'mother', [test], [test]))).toEqual([])
})

test('without the account that began, the report is the turn of every account that takes part', () => {
  const file = roadmapIn('board', family([true, true]))
  expect(['father', 'stranger'].filter((who) => isTheirTurn(file, who, undefined))).toEqual(['father'])
})
