import type { Update } from 'grammy/types'
import { expect, test } from 'vitest'
import { readTap, tappedAt } from '../../src/answering/tap.ts'

const SECOND = 1_000

/** A tap on the second question, in a message of these dates. */
function tapOn(dates: { date: number; edit_date?: number }) {
  const from = { id: 7, is_bot: false, first_name: 'سارا' }
  const chat = { id: 7, type: 'private', first_name: 'سارا' } as const
  const message = { message_id: 5, chat, ...dates }
  const query = { id: '1', from, chat_instance: '1', data: 'a:Abcd1234:1:2:4', message }
  return readTap({ update_id: 1, callback_query: query } as Update)
}

test('what was tapped was drawn when it was last edited', () => {
  expect(tapOn({ date: 100 })).toMatchObject({ question: 1, option: 2, revision: 4, drawnAt: 100 * SECOND })
  expect(tapOn({ date: 100, edit_date: 110 })?.drawnAt).toBe(110 * SECOND)
  // Telegram shows no more of an old message.
  expect(tapOn({ date: 0 })?.drawnAt).toBe(0)
})

test('a clock that is behind never puts a tap before what was tapped', () => {
  const drawnAt = 100 * SECOND
  expect(tappedAt({ drawnAt }, 104 * SECOND)).toBe(104 * SECOND)
  expect(tappedAt({ drawnAt }, 87 * SECOND)).toBe(drawnAt)
  // No clock is that wrong: the date is.
  expect(tappedAt({ drawnAt }, 30 * SECOND)).toBe(30 * SECOND)
})
