import type { Update } from 'grammy/types'
import { expect, test } from 'vitest'
import { createIntake } from '../../src/inbox/intake.ts'

test('an answer that the store does not take comes again: nobody is told that it is kept', async () => {
  const away = new Error('the store is away')
  const intake = createIntake({
    answerTap: () => ({ take: () => Promise.reject(away) }),
    onUpdate: () => undefined,
  } as unknown as Parameters<typeof createIntake>[0])
  const chat = { id: 7, type: 'private', first_name: 'x' }
  const from = { id: 7, is_bot: false, first_name: 'x' }
  const message = { message_id: 1, date: 0, chat, text: 'x' }
  const query = { id: '1', from, chat_instance: '1', message, data: 'a:abcdefgh:0:1:1' }
  const update = { update_id: 1, callback_query: query } as Update
  await expect(intake.handle(update)).rejects.toBe(away)
})
