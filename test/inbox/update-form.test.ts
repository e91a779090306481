import type { Update } from 'grammy/types'
import { expect, test } from 'vitest'
import { isWellFormed } from '../../src/inbox/update-form.ts'

const chat = { id: 7, type: 'private' }
const message = { message_id: 3, date: 1_700_000_000, chat }
const query = {
  id: '1',
  from: { id: 7, is_bot: false, language_code: 'fa' },
  message,
  data: 'a:abcdefgh:0:1:1',
}
const tap = (changes: object = {}) =>
  ({ update_id: 1, callback_query: { ...query, ...changes } }) as unknown as Update

test('a tap is understood with or without its optional fields', () => {
  expect(isWellFormed(tap())).toBe(true)
  expect(isWellFormed(tap({ message: undefined }))).toBe(true)
  expect(isWellFormed(tap({ data: undefined }))).toBe(true)
  expect(isWellFormed(tap({ from: { id: 7 } }))).toBe(true)
})

test.each([
  ['no id', { id: 1 }],
  ['no person', { from: undefined }],
  ['a list as a person', { from: [] }],
  ['a person without an id', { from: { ...query.from, id: '7' } }],
  ['a language that is no text', { from: { ...query.from, language_code: 5 } }],
  ['what is neither a bot nor none', { from: { ...query.from, is_bot: 'no' } }],
  ['data that is no text', { data: 5 }],
  ['nothing as a message', { message: null }],
  ['a message without a chat', { message: { ...message, chat: undefined } }],
  ['a chat without an id', { message: { ...message, chat: { type: 'private' } } }],
  ['a message id of zero', { message: { ...message, message_id: 0 } }],
  ['no date', { message: { ...message, date: 'now' } }],
])('a tap with %s is not understood', (_, changes) => {
  expect(isWellFormed(tap(changes))).toBe(false)
})

test('further fields beside a tap are checked as well', () => {
  expect(isWellFormed({ ...tap(), message: { text: 'no place' } } as unknown as Update)).toBe(false)
  expect(isWellFormed({ ...tap(), update_id: '1' } as unknown as Update)).toBe(false)
})

test('an update that is nested deeper than any of Telegram’s is not understood', () => {
  const nested = (depth: number): unknown => (depth === 0 ? [] : [nested(depth - 1)])
  expect(isWellFormed(tap({ more: nested(50) }))).toBe(true)
  expect(isWellFormed(tap({ more: nested(5_000) }))).toBe(false)
  expect(
    isWellFormed({ update_id: 1, message: { ...message, more: nested(5_000) } } as unknown as Update),
  ).toBe(false)
})
