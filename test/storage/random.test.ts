import { expect, test } from 'vitest'
import { createRandom } from '../../src/storage/aes-gcm.ts'

test('no two callers get the same random bytes, and no bytes change later', () => {
  const random = createRandom()
  const given = Array.from({ length: 3_000 }, (_, index) => random(8 + (index % 5)))
  const first = given.map((bytes) => bytes.toString('hex'))
  expect(new Set(first.map((hex) => hex.slice(0, 16))).size).toBe(given.length)
  expect(first.every((hex) => !hex.startsWith('0'.repeat(16)))).toBe(true)
  random(10_000)
  expect(given.map((bytes) => bytes.toString('hex'))).toEqual(first)
  expect(given.map(({ length }) => length)).toEqual(given.map((_, index) => 8 + (index % 5)))
  expect(random(10_000)).toHaveLength(10_000)
})
