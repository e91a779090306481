import { expect, test } from 'vitest'
import { DAY_MS } from '../../src/domain/durations.ts'
import {
  BOARD_STAGES,
  type BoardStage,
  boardListOf,
  boardLists,
  boardStageOf,
  flaggedLists,
  isOver,
  progressOf,
  type Standing,
  standingOf,
  tableStageOf,
} from '../../src/domain/record/standing.ts'
import { type FileKind, fileIn, NOW, type Shape } from './record-states.ts'

/** The board stage of a participant, and the one if the file is noted as stuck. */
const stages: [FileKind, Shape, BoardStage | undefined, BoardStage | undefined][] = [
  ['a record that nobody has begun', 'new', undefined, undefined],
  ['a record that nobody has begun', 'intro', 'opened', 'opened'],
  ['a record that nobody has begun', 'waiting', 'waiting', 'waiting'],
  ['a record', 'profile: draft', 'profile', 'stuck'],
  ['a record', 'code: draft sms', 'code', 'stuck'],
  ['a record', 'loading', 'answering', 'stuck'],
  ['a record', 'questions: questions', 'answering', 'stuck'],
  ['a record', 'submitting: questions', 'submitting', 'submitting'],
  ['a record', 'refused: questions', 'waiting', 'waiting'],
  ['a record', 'refused: questions isOurs', 'submitting', 'submitting'],
  ['a record', 'scored: questions', 'submitting', 'submitting'],
  ['a record', 'done', 'delivered', 'delivered'],
  ['a record', 'done: isOwed', 'owed', 'owed'],
  ['a record', 'elsewhere', undefined, undefined],
  ['a roadmap with its board open', 'board', 'answering', 'stuck'],
  ['a roadmap with its board open', 'generating', 'analysis', 'analysis'],
  ['a roadmap with its board open', 'failed: reasons', 'analysis', 'analysis'],
  ['a roadmap with its board open', 'scored', 'analysis', 'analysis'],
  ['a roadmap with its board open', 'done', 'delivered', 'delivered'],
]

test.each(stages)('%s, %s, is at %s on the board, and at %s when stuck', (kind, shape, now, later) => {
  const file = fileIn(kind, shape)
  expect([boardStageOf(file), boardStageOf({ ...file, stuckAt: NOW })]).toEqual([now, later])
})

test.each<[FileKind, Shape]>([
  ['a record', 'scored: questions'],
  ['a roadmap with its board open', 'scored'],
])('%s, %s, is owed if the bot is blocked', (kind, shape) => {
  expect(boardStageOf({ ...fileIn(kind, shape), isHeldBack: true })).toBe('owed')
})

test('a flagged result comes first at its stage, and a file off the board is only counted', () => {
  const done = fileIn('a record', 'done')
  expect(boardListOf(done)).toEqual({ list: 'delivered' })
  expect(boardListOf({ ...done, isFlagged: true })).toEqual({ list: 'delivered!' })
  expect(boardLists('delivered', NOW).map(({ list }) => list)).toEqual(['delivered!', 'delivered'])
  expect(boardListOf({ ...fileIn('a record', 'questions: questions'), isFlagged: true })).toEqual({
    list: 'answering',
  })
  expect(boardListOf({ ...fileIn('a record', 'questions: questions'), stuckAt: 7 })).toEqual({
    list: 'stuck',
    at: 7,
  })
  expect(boardListOf(fileIn('a record', 'elsewhere'))).toEqual({ list: 'elsewhere' })
  expect(boardListOf(fileIn('a record that nobody has begun', 'new'))).toEqual({ list: null })
})

test.each<[Shape, Standing, boolean]>([
  ['intro', { at: 'new' }, false],
  ['questions: questions', { at: 'questions', answered: 3, total: 9 }, false],
  ['board', { at: 'board' }, false],
  ['done', { at: 'done' }, true],
  ['elsewhere', { at: 'elsewhere' }, true],
  ['elsewhere: isOthers', { at: 'registered-elsewhere' }, true],
  ['elsewhere: ofRoadmap', { at: 'of-roadmap' }, true],
])('%s has the standing %j, and is over: %s', (shape, standing, over) => {
  const file = fileIn('a record', shape)
  expect(standingOf(file, { answered: 3, questions: 9 })).toEqual(standing)
  expect(isOver(standing)).toBe(over)
})

test.each<[Shape, FileKind, string | undefined]>([
  ['done', 'a record', 'delivered'],
  ['elsewhere', 'a record', 'elsewhere'],
  ['elsewhere: isOthers', 'a record', 'registered-elsewhere'],
  ['elsewhere: ofRoadmap', 'a record', undefined],
])('%s, of %s, is in the table at %s', (shape, kind, stage) => {
  expect(tableStageOf(fileIn(kind, shape))).toBe(stage)
})

test('questions without an attempt are still loading', () => {
  expect(standingOf(fileIn('a record', 'questions: questions'))).toEqual({ at: 'loading' })
})

test.each([
  ['invited', 'none is begun', undefined, 'opened'],
  ['taken', 'one is taken', undefined, 'answering'],
  ['invited', 'the first account has begun', 1, 'answering'],
] as const)('a roadmap with roles %s one by one, of which %s, is at its stage', (is, _, chatId, stage) => {
  const file = fileIn('a roadmap', 'board')
  const hand = (role: number, assignee: object) => ({ role, code: '', finishedBefore: 0, assignee }) as never
  const hands = [hand(1, { is, who: 'a' }), hand(2, { is: 'invited' })]
  const roadmap = file.roadmap && { ...file.roadmap, hands }
  expect(boardStageOf({ ...file, chatId, roadmap })).toBe(stage)
})

test('a stage that waits is counted for longer, and the flagged list comes first', () => {
  const days = BOARD_STAGES.map((stage) => [
    stage,
    boardLists(stage, NOW).map(({ from }) => (NOW - from) / DAY_MS),
  ])
  const short = { opened: [30], stuck: [30], delivered: [30, 30], owed: [90, 90] }
  const all = Object.fromEntries(BOARD_STAGES.map((stage) => [stage, [90]]))
  expect(Object.fromEntries(days)).toEqual({ ...all, ...short })
  expect(flaggedLists(NOW).map(({ list }) => list)).toEqual(['owed!', 'delivered!'])
  expect(boardLists('owed', NOW).map(({ list }) => list)).toEqual(['owed!', 'owed'])
})

test.each<[Shape, { questions: number; answered: number } | undefined, object]>([
  ['questions: questions', { questions: 9, answered: 3 }, { total: 9, answered: 3, isSent: false }],
  ['questions: questions', undefined, { total: 7, answered: undefined, isSent: false }],
  ['submitting: questions', undefined, { total: 7, answered: 7, isSent: true }],
  ['done', { questions: 9, answered: 3 }, { total: 9, answered: 9, isSent: true }],
])('the progress of %s with the attempt %j', (shape, attempt, progress) => {
  const file = fileIn('a record', shape)
  expect(progressOf({ ...file, test: { ...file.test, questions: 7 } }, attempt)).toEqual(progress)
})
