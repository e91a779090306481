import { expect, test } from 'vitest'
import { chat, refusal, START, telegram } from './bot.ts'

test('a message arrives with its entities, and its reply_markup is always the inline keyboard', async () => {
  const { api, person } = await chat()
  const sent = await api.sendMessage(person.id, '<b>سلام</b>', {
    parse_mode: 'HTML',
    protect_content: true,
    reply_markup: { inline_keyboard: [[{ text: 'شروع', callback_data: 'begin:x', style: 'success' }]] },
  })
  expect(sent).toMatchObject({
    text: 'سلام',
    entities: [{ type: 'bold', offset: 0, length: 4 }],
    date: START / 1000,
  })
  expect(sent.has_protected_content).toBe(true)
  expect(person.last).toEqual(sent)
  const plain = await api.sendMessage(person.id, 'x', { reply_markup: { keyboard: [[{ text: 'y' }]] } })
  expect(plain.reply_markup).toBeUndefined()
  expect(person.state.replyKeyboard).toEqual({ messageId: plain.message_id, rows: [[{ text: 'y' }]] })
})

test('a message to a chat that the bot cannot write to is refused', async () => {
  const { api, emulator } = await telegram()
  const stranger = emulator.person()
  const say = (id: number | string) => refusal(api.sendMessage(id, 'x'))
  expect(await say(1)).toBe('400 Bad Request: chat not found')
  expect(await say('')).toBe('400 Bad Request: chat_id is empty')
  expect(await say(stranger.id)).toBe('400 Bad Request: chat not found')
  stranger.inGroup('سلام')
  expect(await say(stranger.id)).toBe("403 Forbidden: bot can't initiate conversation with a user")
  stranger.start()
  expect(await say(stranger.id)).toBe('not refused')
  stranger.block()
  expect(await say(stranger.id)).toBe('403 Forbidden: bot was blocked by the user')
  stranger.unblock()
  stranger.deactivate()
  expect(await say(stranger.id)).toBe('403 Forbidden: user is deactivated')
})

test('lengths are counted in code points, after the entities are read', async () => {
  const { api, person } = await chat()
  const say = (text: string, other = {}) => refusal(api.sendMessage(person.id, text, other))
  expect(await say('🙂'.repeat(4096))).toBe('not refused')
  expect(await say('🙂'.repeat(4097))).toBe('400 Bad Request: message is too long')
  expect(await say(`<b>${'&lt;'.repeat(4096)}</b>`, { parse_mode: 'HTML' })).toBe('not refused')
  expect(await say('x'.repeat(32_769))).toBe('400 Bad Request: text is too long')
  expect(await say(' \u200f ')).toBe('400 Bad Request: message text is empty')
  expect(await say('<b>', { parse_mode: 'HTML' })).toContain(
    "400 Bad Request: can't parse entities: Can't find end tag",
  )
  expect(await say('*x*', { parse_mode: 'MarkdownV2' })).toBe('400 Bad Request: unsupported parse_mode')
  expect(await say('x', { reply_parameters: { message_id: 1 } })).toBe(
    '400 Bad Request: message to be replied not found',
  )
})

test.each([
  [{ text: 'x', callback_data: 'ا'.repeat(33) }, 'BUTTON_DATA_INVALID'],
  [{ text: 'x', callback_data: '' }, 'BUTTON_DATA_INVALID'],
  [{ text: 'x' }, "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard"],
  [
    { text: 'x', callback_data: 'a', style: 'red' },
    "can't parse inline keyboard button: invalid button style specified",
  ],
  [{ text: 'x', url: 'javascript:1' }, 'BUTTON_URL_INVALID'],
  [{ text: 'x', copy_text: { text: 'y'.repeat(257) } }, 'BUTTON_COPY_TEXT_INVALID'],
])('button %o is refused', async (button, why) => {
  const { api, person } = await chat()
  const reply_markup = { inline_keyboard: [[button as never]] }
  expect(await refusal(api.sendMessage(person.id, 'x', { reply_markup }))).toBe(`400 Bad Request: ${why}`)
})

test('keyboards: 32 Persian letters fit, rows are cut at 12, 100 buttons are the end', async () => {
  const { api, person } = await chat()
  const button = { text: 'x', callback_data: 'ا'.repeat(32) }
  const row = (length: number) => Array.from({ length }, () => button)
  const sent = await api.sendMessage(person.id, 'x', {
    reply_markup: { inline_keyboard: [row(13), [{ ...button, text: '' }]] },
  })
  expect(sent.reply_markup?.inline_keyboard.map(({ length }) => length)).toEqual([12])
  const many = { inline_keyboard: Array.from({ length: 101 }, () => [{ text: 'x', callback_data: 'a' }]) }
  expect(await refusal(api.sendMessage(person.id, 'x', { reply_markup: many }))).toBe(
    '400 Bad Request: reply markup is too long',
  )
  expect(await refusal(api.sendMessage(person.id, 'x', { reply_markup: [] as never }))).toBe(
    '400 Bad Request: object expected as reply markup',
  )
})

test('an edit replaces the text, and removes a keyboard that it does not name', async () => {
  const { api, person, clock } = await chat()
  const keyboard = { inline_keyboard: [[{ text: 'a', callback_data: 'a' }]] }
  const { message_id } = await api.sendMessage(person.id, 'one', { reply_markup: keyboard })
  clock.now += 5000
  const edited = await api.editMessageText(person.id, message_id, 'two', { reply_markup: keyboard })
  expect(edited).toMatchObject({ text: 'two', edit_date: START / 1000 + 5, reply_markup: keyboard })
  expect(
    await refusal(
      api.editMessageText(person.id, message_id, '<i></i>two', {
        parse_mode: 'HTML',
        reply_markup: keyboard,
      }),
    ),
  ).toBe(
    '400 Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
  )
  await api.editMessageText(person.id, message_id, 'two')
  expect(person.last.reply_markup).toBeUndefined()
  await api.editMessageReplyMarkup(person.id, message_id, { reply_markup: keyboard })
  expect(person.buttons).toEqual(['a'])
})

test('an edit of a message that cannot be edited is refused', async () => {
  const { api, person } = await chat()
  const edit = (id: number) => refusal(api.editMessageText(person.id, id, 'x'))
  const withKeyboard = await api.sendMessage(person.id, 'k', {
    reply_markup: { keyboard: [[{ text: 'y' }]] },
  })
  const removal = await api.sendMessage(person.id, 'r', { reply_markup: { remove_keyboard: true } })
  const forced = await api.sendMessage(person.id, 'f', { reply_markup: { force_reply: true } })
  for (const { message_id } of [withKeyboard, removal, forced]) {
    expect(await edit(message_id)).toBe("400 Bad Request: message can't be edited")
  }
  expect(await edit(person.say('mine').message_id)).toBe("400 Bad Request: message can't be edited")
  expect(await edit(99_999)).toBe('400 Bad Request: message to edit not found')
  const plain = await api.sendMessage(person.id, 'p')
  const keyboard = { reply_markup: { keyboard: [[{ text: 'y' }]] } as never }
  expect(await refusal(api.editMessageText(person.id, plain.message_id, 'q', keyboard))).toBe(
    '400 Bad Request: inline keyboard expected',
  )
})

test('both sides’ messages can be deleted for 48 hours', async () => {
  const { api, person, clock } = await chat()
  const old = await api.sendMessage(person.id, 'old')
  clock.now += 48 * 3_600_000
  expect(await refusal(api.deleteMessage(person.id, old.message_id))).toBe(
    "400 Bad Request: message can't be deleted",
  )
  expect(await refusal(api.deleteMessage(person.id, 1))).toBe('400 Bad Request: message to delete not found')
  const mine = person.say('۰۹۱۲')
  await api.deleteMessage(person.id, mine.message_id)
  const one = await api.sendMessage(person.id, '1')
  await api.deleteMessages(person.id, [one.message_id, old.message_id, 1])
  expect(person.messages.map(({ text }) => text)).toEqual(['/start', 'old'])
})

test('a keyboard disappears with its message, by removal, and after use if it is for one use', async () => {
  const { api, person } = await chat()
  const ask = (other = {}) =>
    api.sendMessage(person.id, 'phone?', {
      reply_markup: { keyboard: [[{ text: 'share', request_contact: true }]], ...other },
    })
  const { message_id } = await ask()
  await api.deleteMessage(person.id, message_id)
  expect(person.state.replyKeyboard).toBeUndefined()
  await ask({ one_time_keyboard: true })
  expect(person.shareContact().reply_to_message?.text).toBe('phone?')
  expect(person.state.replyKeyboard).toBeUndefined()
  await ask()
  person.shareContact()
  expect(person.state.replyKeyboard).toBeDefined()
  await api.sendMessage(person.id, 'thanks', { reply_markup: { remove_keyboard: true } })
  expect(person.state.replyKeyboard).toBeUndefined()
})

test('a tap is answered once, within 15 seconds', async () => {
  const { api, person, clock } = await chat()
  await api.sendMessage(person.id, 'x', {
    reply_markup: { inline_keyboard: [[{ text: 'a', callback_data: 'a' }]] },
  })
  const tooOld = '400 Bad Request: query is too old and response timeout expired or query ID is invalid'
  const first = person.tap('a')
  expect(await refusal(api.answerCallbackQuery(first, { text: 'ا'.repeat(201) }))).toBe(
    '400 Bad Request: MESSAGE_TOO_LONG',
  )
  await api.answerCallbackQuery(first, { text: 'ثبت شد', show_alert: true })
  expect(await refusal(api.answerCallbackQuery(first))).toBe(tooOld)
  const late = person.tap('a')
  clock.now += 15_001
  expect(await refusal(api.answerCallbackQuery(late))).toBe(tooOld)
  expect(await refusal(api.answerCallbackQuery('1'))).toBe(tooOld)
  expect(person.toasts).toEqual(['ثبت شد'])
  expect(person.answers).toHaveLength(1)
})

test('commands are shown in the person’s language, the narrowest scope first', async () => {
  const { api, person, emulator } = await chat()
  const shown = () => emulator.chat(person.id)?.commands.map(({ description }) => description)
  await api.setMyCommands([{ command: 'help', description: 'help' }])
  expect(shown()).toEqual(['help'])
  await api.setMyCommands([{ command: 'help', description: 'راهنما' }], { language_code: 'fa' })
  expect(shown()).toEqual(['راهنما'])
  await api.setMyCommands([{ command: 'help', description: 'private' }], {
    scope: { type: 'all_private_chats' },
  })
  expect(shown()).toEqual(['private'])
  await api.setMyCommands([{ command: 'status', description: 'organizer' }], {
    scope: { type: 'chat', chat_id: person.id },
  })
  expect(shown()).toEqual(['organizer'])
  expect(await api.getMyCommands({ language_code: 'fa' })).toEqual([
    { command: 'help', description: 'راهنما' },
  ])
  await api.deleteMyCommands({ scope: { type: 'chat', chat_id: person.id } })
  expect(shown()).toEqual(['private'])
  expect(await refusal(api.setMyCommands([{ command: 'Help', description: 'x' }]))).toBe(
    '400 Bad Request: BOT_COMMAND_INVALID',
  )
})

test('the bot describes itself', async () => {
  const { api, person, emulator } = await chat()
  await api.setMyDescription('about')
  await api.setMyDescription('درباره', { language_code: 'fa' })
  await api.setMyShortDescription('short')
  await api.setChatMenuButton({ menu_button: { type: 'commands' } })
  expect(emulator.chat(person.id)?.bot).toMatchObject({ description: 'درباره', shortDescription: 'short' })
  expect(await refusal(api.setMyShortDescription('x'.repeat(121)))).toContain('400 Bad Request')
  expect(await api.getMe()).toMatchObject({ is_bot: true, username: emulator.username })
  expect(await api.getChat(person.id)).toMatchObject({ id: person.id, type: 'private', first_name: 'سارا' })
})

test('typing is shown for five seconds, or until the bot sends a message', async () => {
  const { api, person, emulator, clock } = await chat()
  await api.sendChatAction(person.id, 'typing')
  expect(emulator.chat(person.id)?.typing).toEqual({ action: 'typing', until: START + 5000 })
  await api.sendMessage(person.id, 'x')
  expect(emulator.chat(person.id)?.typing).toBeUndefined()
  await api.sendChatAction(person.id, 'upload_document')
  clock.now += 5000
  expect(emulator.chat(person.id)?.typing).toBeUndefined()
})
