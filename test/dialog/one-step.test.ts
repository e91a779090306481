import { type Conversation, conversations, createConversation } from '@grammyjs/conversations'
import { Bot, type Context } from 'grammy'
import type { Update } from 'grammy/types'
import { expect, test } from 'vitest'
import type { Config } from '../../src/config.ts'
import { steps } from '../../src/dialog/steps.ts'
import { createTalk, type DialogContext, type Talk } from '../../src/dialog/talk.ts'
import type { UpdateContext } from '../../src/dialog/update-context.ts'
import { newDraft } from '../../src/domain/profile.ts'
import { newRecordFile, type RecordFile } from '../../src/domain/record/record.ts'
import { texts } from '../words.ts'

const t = texts.for('fa')
const chat = { id: 7, type: 'private', first_name: 'زهرا' } as const
const from = { id: 7, is_bot: false, first_name: 'زهرا' }
const botInfo = { id: 1, is_bot: true, first_name: 'پرسا', username: 'porsa_bot' } as const

/** One step alone, tested as users of grammY test theirs: a transformer ends every call of the bot. */
async function alone(ask: keyof typeof steps) {
  const draft = newDraft([{ limits: { minAge: null, maxAge: null, gender: 'both' } }])
  const file: RecordFile = {
    ...newRecordFile({ s: 'abc', token: 'token', seenAt: 1 }, 'record'),
    state: { stage: 'profile', draft },
    // A message that waits to be deleted already.
    typed: [0],
  }
  const calls: { method: string; payload: object }[] = []
  const bot = new Bot<DialogContext>('1:token', { botInfo: botInfo as never })
  bot.api.config.use(async (_, method, payload) => {
    calls.push({ method, payload })
    return { ok: true, result: { message_id: calls.length } } as never
  })

  bot.use((incoming, next) => {
    const sent: number[] = []
    const ctx: Partial<UpdateContext> = {
      t,
      today: '2026-11-22',
      account: {} as UpdateContext['account'],
      sent,
      ask: async ({ text }) => void sent.push((await bot.api.sendMessage(chat.id, text)).message_id),
      close: async (text) => void (await bot.api.editMessageText(chat.id, 1, text)),
    }
    Object.assign(incoming, {
      ctx,
      dialog: { file },
      toast: (text: string) => incoming.answerCallbackQuery(text),
    })
    return next()
  })
  bot.use(conversations<DialogContext, Context>())
  const entry = { ask, person: 0 }
  const builder = (conversation: Conversation<DialogContext, Context>, first: Context) =>
    steps[ask]?.talk(createTalk(conversation, { first, entry, config: {} as Config }) as Talk<never>)
  bot.use(createConversation<DialogContext, Context>(builder as never, { id: ask }))
  bot.use((incoming) => incoming.conversation.enter(ask))

  const message = { message_id: 1, date: 0, chat, from }
  const handle = (update: object) => bot.handleUpdate({ update_id: 1, ...update } as Update)
  await handle({ my_chat_member: { chat, from } })
  return {
    calls,
    person: draft.people[0],
    says: (text: string) => handle({ message: { ...message, text } }),
    taps: (data: string) => handle({ callback_query: { id: '1', from, message, data, chat_instance: '1' } }),
  }
}

test('the gender can be typed; any other text is asked about once more', async () => {
  const { calls, person, says } = await alone('gender')
  await says('نمی‌دانم')
  expect(person?.gender).toBeUndefined()
  expect(calls.map(({ method }) => method)).toEqual(['sendMessage', 'sendMessage'])
  expect(calls[1]?.payload).toMatchObject({ text: expect.stringContaining(t('use-buttons')) })
  await says('خانم')
  expect(person?.gender).toBe('female')
})

test('a tap on the gender replaces the question', async () => {
  const { calls, person, taps } = await alone('gender')
  await taps('gender:male')
  expect(person?.gender).toBe('male')
  expect(calls.map(({ method }) => method)).toEqual(['sendMessage', 'editMessageText'])
})

test('a button of another step is refused, and the question stays', async () => {
  const { calls, person, taps, says } = await alone('gender')
  await taps('name:ok')
  expect(calls.at(-1)).toMatchObject({
    method: 'answerCallbackQuery',
    payload: { text: t.plain('button-old') },
  })
  await says('مرد')
  expect(person?.gender).toBe('male')
})
