import { expect, test } from 'vitest'
import { addTo, type DropOff, dropRows } from '../../src/domain/drop-off.ts'
import { accountDays } from '../../src/domain/durations.ts'

test('each participant is counted at the question they stand at, or as finished', () => {
  const test: DropOff = { title: 't', questions: 3, finished: 0, standing: [] }
  for (const at of [0, 1, 1, undefined]) addTo(test, { questions: 5, at })
  addTo(test, { questions: undefined, at: 1 })
  expect(test).toEqual({ title: 't', questions: 5, finished: 1, standing: [1, 3] })
  expect(dropRows(test, 9)).toEqual([
    { from: 1, to: 1, reached: 5, stopped: 1 },
    { from: 2, to: 2, reached: 4, stopped: 3 },
    ...[3, 4, 5].map((at) => ({ from: at, to: at, reached: 1, stopped: 0 })),
  ])
  expect(dropRows(test, 2)).toEqual([
    { from: 1, to: 3, reached: 5, stopped: 4 },
    { from: 4, to: 5, reached: 1, stopped: 0 },
  ])
})

test('a test without questions has no rows', () => {
  expect(dropRows({ title: 't', questions: 0, finished: 0, standing: [] }, 9)).toEqual([])
})

test.each([
  [1, 180],
  [50, 190],
  [90, 278],
])('with %d days for an unfinished test an account is kept for %d', (retentionDays, days) => {
  expect(accountDays(retentionDays)).toBe(days)
})
