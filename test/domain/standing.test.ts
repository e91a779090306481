import { expect, test } from 'vitest'
import { type BoardStage, boardStageOf } from '../../src/domain/record/standing.ts'
import { type FileKind, fileIn, NOW, type Shape } from './record-states.ts'

const HOUR = 3_600_000

/** Where somebody who was here an hour ago stands, and after a day. */
const stages: [FileKind, Shape, BoardStage | undefined, BoardStage | undefined][] = [
  ['a record that nobody has begun', 'new', 'opened', 'opened'],
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
  ['a record', 'done: isOwed', 'blocked', 'blocked'],
  ['a record', 'elsewhere', undefined, undefined],
  ['a roadmap with its board open', 'board', 'answering', 'stuck'],
  ['a roadmap with its board open', 'generating', 'analysis', 'analysis'],
  ['a roadmap with its board open', 'failed: reasons', 'analysis', 'analysis'],
  ['a roadmap with its board open', 'scored', 'analysis', 'analysis'],
  ['a roadmap with its board open', 'done', 'delivered', 'delivered'],
]

test.each(stages)('%s, %s, stands at %s, and at %s after a day', (kind, shape, now, later) => {
  const file = fileIn(kind, shape)
  const since = (hours: number) => ({ now: NOW, activeAt: NOW - hours * HOUR, isBlocked: false })
  expect([boardStageOf(file, since(1)), boardStageOf(file, since(24))]).toEqual([now, later])
})

test.each<[FileKind, Shape]>([
  ['a record', 'scored: questions'],
  ['a roadmap with its board open', 'scored'],
])('%s, %s, is owed where the bot was blocked', (kind, shape) => {
  expect(boardStageOf(fileIn(kind, shape), { now: NOW, activeAt: NOW, isBlocked: true })).toBe('blocked')
})
