import type { Update } from 'grammy/types'
import { expect, test } from 'vitest'
import { createIntake } from '../../src/inbox/intake.ts'
import { createLog } from '../../src/observe/logger.ts'

test('an answer that the store does not take comes again, and is not acknowledged', async () => {
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

test('groups get at most five replies at once, and each one a day, also while Telegram delays them', async () => {
  const sent: number[] = []
  const ends: (() => void)[] = []
  const send = (chatId: number) =>
    new Promise<void>((resolve) => {
      sent.push(chatId)
      ends.push(resolve)
    })
  const intake = createIntake({
    answerTap: () => ({ take: () => undefined }),
    onUpdate: () => undefined,
    username: () => 'porsa_bot',
    t: () => 'elsewhere',
    sender: { send },
    log: createLog('silent', { write: () => undefined }),
  } as unknown as Parameters<typeof createIntake>[0])
  let updateId = 0
  const calls = (group: number, date = 0) => {
    const chat = { id: -group, type: 'group', title: 'x' }
    const message = { message_id: 1, date, chat, text: '/start@porsa_bot' }
    return intake.handle({ update_id: ++updateId, message } as Update)
  }
  // No call waits for a reply that is refused with 429: the updates are taken.
  for (let group = 1; group <= 48; group += 1) await calls(group)
  expect(sent).toEqual([-1, -2, -3, -4, -5])
  for (const end of ends.splice(0)) end()
  await new Promise(setImmediate)
  for (const group of [1, 2, 48]) await calls(group, 86_399)
  expect(sent).toEqual([-1, -2, -3, -4, -5, -48])
  await calls(1, 86_400)
  expect(sent.at(-1)).toBe(-1)
})

test('an update is counted and logged as one of the known kinds, never under a name that a sender made up', async () => {
  const counted: string[] = []
  const lines: string[] = []
  const intake = createIntake({
    answerTap: () => ({ take: () => undefined }),
    onUpdate: (kind: string) => void counted.push(kind),
    username: () => 'porsa_bot',
    log: createLog('info', { write: (line: string) => void lines.push(line) }),
  } as unknown as Parameters<typeof createIntake>[0])
  const chat = { id: -7, type: 'channel', title: 'x' }
  const post = { message_id: 1, date: 0, chat, text: 'x' }
  for (const key of ['channel_post', 'a_kind_to_come', 'سارا محمدی', '__proto__'])
    await intake.handle({ update_id: 1, [key]: post } as unknown as Update)
  expect(new Set(counted)).toEqual(new Set(['other']))
  expect(lines.join('')).not.toMatch(/channel_post|a_kind_to_come|سارا/)
})
