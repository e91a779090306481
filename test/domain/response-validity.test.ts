import { expect, test } from 'vitest'
import type { Attempt } from '../../src/domain/attempt-layout.ts'
import { isFlagged, usual, validityOf } from '../../src/domain/response-validity.ts'

const attempt = {
  questions: 20,
  fastAnswers: 2,
  pauses: 1,
  resumes: 3,
  activeMs: 0,
} as unknown as Attempt
const NONE = { answers: [], changes: [] }

test.each([
  [[], 0],
  [[3], 1],
  [[1, 2, 2, 2, 1, 1], 3],
  [[1, 2, 3, 3], 2],
  [[0, 0, 1], 2],
  [[1, 2, 3], 1],
])('the longest run of equal answers in %j is %d', (answers, run) => {
  expect(validityOf(attempt, { answers, changes: [] }).run).toBe(run)
})

test.each([
  [0, 1],
  [89_000, 1],
  [600_000, 10],
])('%d ms are %d active minutes', (activeMs, activeMinutes) => {
  expect(validityOf({ ...attempt, activeMs }, NONE)).toMatchObject({
    activeMinutes,
    fast: 2,
    pauses: 1,
    resumes: 3,
  })
})

test.each([
  [5, 1, 4, 2],
  [20, 1, 6, 2],
  [30, 2, 9, 3],
  [100, 5, 12, 10],
])('%d questions: %d fast ones, a run of %d and %d changes are usual', (questions, fast, run, changes) => {
  expect(usual({ questions })).toEqual({ fast, run, changes, pauses: 1, resumes: 2 })
  const validity = { ...validityOf(attempt, NONE), questions, fast, run }
  expect(isFlagged(validity)).toBe(false)
  expect(isFlagged({ ...validity, fast: fast + 1 })).toBe(true)
  expect(isFlagged({ ...validity, run: run + 1 })).toBe(true)
})

test('no more answers count as fast than there are questions', () => {
  expect(validityOf({ ...attempt, questions: 9, fastAnswers: 10 }, NONE).fast).toBe(9)
})
