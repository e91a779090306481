import { expect, test } from 'vitest'
import { ifReadable, readable, UnreadableError } from '../../src/domain/unreadable.ts'

const thrown = (error: unknown) => () => {
  throw error
}
const harmed = new UnreadableError('harmed')

test('any error while a kept value is read means that the value is harmed', () => {
  expect(readable(() => 7)).toBe(7)
  expect(() => readable(thrown(new Error('no JSON')))).toThrow(new UnreadableError('no JSON'))
  expect(() => readable(thrown('odd'))).toThrow(new UnreadableError('a kept value cannot be read'))
  expect(() => readable(thrown(harmed))).toThrow(expect.toSatisfy((error) => error === harmed))
})

test('a harmed value is left out; any other error is thrown on', () => {
  expect(ifReadable(() => 7)).toBe(7)
  expect(ifReadable(thrown(harmed))).toBeUndefined()
  expect(() => ifReadable(thrown(new Error('a mistake')))).toThrow('a mistake')
})
