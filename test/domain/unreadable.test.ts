import { expect, test } from 'vitest'
import { ifReadable, readable, UnreadableError } from '../../src/domain/unreadable.ts'

const thrown = (error: unknown) => () => {
  throw error
}
const harmed = new UnreadableError('harmed')

test('what goes wrong as a kept value is read means that it is harmed', () => {
  expect(readable(() => 7)).toBe(7)
  expect(() => readable(thrown(new Error('no JSON')))).toThrow(new UnreadableError('no JSON'))
  expect(() => readable(thrown('odd'))).toThrow(new UnreadableError('a kept value cannot be read'))
  expect(() => readable(thrown(harmed))).toThrow(expect.toSatisfy((error) => error === harmed))
})

test('what is harmed is left out; any other mistake is none of it', () => {
  expect(ifReadable(() => 7)).toBe(7)
  expect(ifReadable(thrown(harmed))).toBeUndefined()
  expect(() => ifReadable(thrown(new Error('a mistake')))).toThrow('a mistake')
})
