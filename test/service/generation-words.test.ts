import { expect, test } from 'vitest'
import { generationReply } from '../../src/service/endpoints.ts'

test.each([
  ['processing', 'processing'],
  ['running', 'processing'],
  ['Queued', 'processing'],
  ['PENDING', 'processing'],
  ['in progress', 'processing'],
  ['in-progress', 'processing'],
  ['completed', 'completed'],
  ['finished', 'completed'],
  ['Success', 'completed'],
  ['succeeded', 'completed'],
  ['done', 'completed'],
  ['failed', 'failed'],
  ['error', 'failed'],
  ['cancelled', 'failed'],
  ['آماده', 'unknown'],
  [7, 'unknown'],
  [null, 'unknown'],
])('%s means %s', (word, status) => {
  expect(generationReply.parse({ status: word })).toEqual({ status, errors: [] })
  expect(generationReply.parse({ state: word })).toEqual({ status, errors: [] })
})
