import { expect, test } from 'vitest'
import { type BoardStage, boardListOf, boardLists, boardStageOf } from '../../src/domain/record/standing.ts'
import { type FileKind, fileIn, NOW, type Shape } from './record-states.ts'

/** Where somebody stands who has gone on within a day, and who has not. */
const stages: [FileKind, Shape, BoardStage | undefined, BoardStage | undefined][] = [
  ['a record that nobody has begun', 'new', undefined, undefined],
  ['a record that nobody has begun', 'intro', 'opened', 'opened'],
  ['a record that nobody has begun', 'waiting', 'waiting', 'waiting'],
  ['a record', 'profile: draft', 'profile', 'stuck'],
  ['a record', 'code: draft sms', 'code', 'stuck'],
  ['a record', 'loading', 'answering', 'stuck'],
  ['a record', 'questions: questions', 'answering', 'stuck'],
  ['a record', 'submitting: questions', 'submitting', 'submitting'],
  ['a record', 'refused: questions', 'submitting', 'submitting'],
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

test.each(stages)('%s, %s, stands at %s, and at %s where it is noted as stuck', (kind, shape, now, later) => {
  const file = fileIn(kind, shape)
  expect([boardStageOf(file), boardStageOf({ ...file, stuckAt: NOW })]).toEqual([now, later])
})

test.each<[FileKind, Shape]>([
  ['a record', 'scored: questions'],
  ['a roadmap with its board open', 'scored'],
])('%s, %s, is owed where the bot was blocked', (kind, shape) => {
  expect(boardStageOf({ ...fileIn(kind, shape), isHeldBack: true })).toBe('owed')
})

test('who answered too quickly stands first at the end, and what is off the board only counts', () => {
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
