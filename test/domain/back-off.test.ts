import { expect, test } from 'vitest'
import { backOffMs } from '../../src/domain/durations.ts'

test('each try in a row waits a step longer, and the last step repeats', () => {
  expect([0, 1, 2, 3, 4, 99].map((tries) => backOffMs([10, 20, 50], tries))).toEqual([0, 10, 20, 50, 50, 50])
})
