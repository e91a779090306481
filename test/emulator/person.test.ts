import { expect, test } from 'vitest'
import { createEmulator } from '../../tools/emulator/emulator.ts'
import { chat, START, telegram } from './bot.ts'

test('START and deep links arrive as commands with their entity', async () => {
  const { api, emulator } = await telegram()
  const person = emulator.person({ firstName: 'علی', languageCode: 'en' })
  person.start('record_1')
  const [update] = await api.getUpdates()
  expect(update?.message).toMatchObject({
    text: '/start record_1',
    entities: [{ type: 'bot_command', offset: 0, length: 6 }],
    from: { id: person.id, is_bot: false, first_name: 'علی', language_code: 'en' },
    chat: { id: person.id, type: 'private', first_name: 'علی' },
    date: START / 1000,
  })
})

test('the bot gets an update about blocking and starting again', async () => {
  const { api, person } = await chat()
  person.block()
  person.block()
  expect(() => person.say('a')).toThrow('blocked')
  person.start()
  const updates = await api.getUpdates()
  expect(
    updates.map((update) => update.my_chat_member?.new_chat_member.status ?? update.message?.text),
  ).toEqual(['kicked', 'member', '/start'])
  expect(updates[0]?.my_chat_member?.old_chat_member.status).toBe('member')
})

test('a tap finds the newest message with the button, by label, data or pattern', async () => {
  const { api, person } = await chat()
  const keyboard = (data: string) => ({
    reply_markup: { inline_keyboard: [[{ text: 'بله', callback_data: data }]] },
  })
  const old = await api.sendMessage(person.id, 'one', keyboard('a:1'))
  await api.sendMessage(person.id, 'two', keyboard('a:2'))
  await api.sendMessage(person.id, 'three', {
    reply_markup: { inline_keyboard: [[{ text: 'web', url: 'https://example.org' }]] },
  })
  person.tap('بله')
  person.tap(/^a:1$/)
  person.tap('بله', old)
  expect((await api.getUpdates()).map(({ callback_query }) => callback_query?.data)).toEqual([
    'a:2',
    'a:1',
    'a:1',
  ])
  expect(person.lastWith('a:')?.text).toBe('two')
  expect(() => person.tap('web')).toThrow('not one that calls the bot')
  expect(() => person.tap('خیر')).toThrow(/no button خیر[\s\S]*bot: two[\s\S]*\[بله \| a:2\]/)
})

test('a query carries the message as it was at the tap, or only its id if it is deleted', async () => {
  const { api, person } = await chat()
  const keyboard = { reply_markup: { inline_keyboard: [[{ text: 'x', callback_data: 'x' }]] } }
  const { message_id } = await api.sendMessage(person.id, 'one', keyboard)
  person.tap('x')
  await api.editMessageText(person.id, message_id, 'two', keyboard)
  await api.deleteMessage(person.id, message_id)
  person.rawTap(message_id, 'forged')
  const [first, second] = await api.getUpdates()
  expect(first?.callback_query?.message).toMatchObject({ text: 'one', reply_markup: keyboard.reply_markup })
  expect(second?.callback_query).toMatchObject({
    data: 'forged',
    message: { message_id, chat: { id: person.id }, date: 0 },
  })
})

test('a person’s own contact has their id, another contact has none', async () => {
  const { api, person } = await chat()
  person.shareContact()
  person.shareContact({ own: false, phone: '+989350000000' })
  const [own, other] = (await api.getUpdates()).map(({ message }) => message?.contact)
  expect(own).toEqual({ phone_number: '989121234567', first_name: 'سارا', user_id: person.id })
  expect(other).toEqual({ phone_number: '+989350000000', first_name: 'دوست' })
})

test('a person can send everything that a bot does not expect', async () => {
  const { api, person } = await chat()
  person.sendFile()
  person.sendFile('photo')
  person.sendFile('voice')
  person.sendSticker()
  person.sendLocation()
  person.edit(person.say('a'), 'b')
  person.inGroup('c')
  const updates = await api.getUpdates()
  const content = ['document', 'photo', 'voice', 'sticker', 'location', 'text']
  const found = updates.map(({ message }) => content.find((name) => message && name in message) ?? 'edited')
  expect(found).toEqual(['document', 'photo', 'voice', 'sticker', 'location', 'text', 'edited', 'text'])
  expect(updates.at(-2)?.edited_message).toMatchObject({ text: 'b', edit_date: START / 1000 })
  expect(updates.at(-1)?.message?.chat).toMatchObject({ type: 'group', id: expect.any(Number) })
})

test('a long text is split into messages, an old date is kept', async () => {
  const { api, person } = await chat()
  person.say('ا'.repeat(5000), { date: START - 60_000 })
  const updates = await api.getUpdates()
  expect(updates.map(({ message }) => message?.text?.length)).toEqual([4096, 904])
  expect(updates[0]?.message?.date).toBe(START / 1000 - 60)
})

test('calls are logged in order with their arguments', async () => {
  const { api, person, emulator } = await chat()
  await api.sendMessage(person.id, 'a', { reply_markup: { remove_keyboard: true } })
  await api.editMessageText(person.id, 1, 'b').catch(() => undefined)
  expect(emulator.calls).toEqual([
    {
      method: 'sendMessage',
      payload: { chat_id: person.id, text: 'a', reply_markup: { remove_keyboard: true } },
      at: START,
      ok: true,
    },
    {
      method: 'editMessageText',
      payload: { chat_id: person.id, message_id: 1, text: 'b' },
      at: START,
      ok: false,
      error: 'Bad Request: message to edit not found',
    },
  ])
})

test('a snapshot restores everything, including unconfirmed updates', async () => {
  let changes = 0
  const { api, person, emulator } = await chat({ onChange: () => changes++ })
  await api.sendMessage(person.id, 'a', { reply_markup: { keyboard: [[{ text: 'k' }]] } })
  const before = changes
  person.say('b')
  expect(changes).toBeGreaterThan(before)
  const again = createEmulator({ snapshot: JSON.parse(JSON.stringify(emulator.snapshot())) })
  expect(again.token).toBe(emulator.token)
  expect(again.chat(person.id)).toEqual(emulator.chat(person.id))
  expect(again.person({ id: person.id }).messages).toEqual(person.messages)
  expect(again.snapshot().updates.map(({ update }) => update.message?.text)).toEqual(['b'])
})

test('the page gets an event for everything that happens in its chat', async () => {
  const { api, person, emulator } = await chat()
  const heard: string[] = []
  const stop = emulator.watch(person.id, ({ type }) => heard.push(type))
  await api.sendChatAction(person.id, 'typing')
  const keyboard = { reply_markup: { inline_keyboard: [[{ text: 'x', callback_data: 'x' }]] } }
  const { message_id } = await api.sendMessage(person.id, 'a', keyboard)
  await api.answerCallbackQuery(person.tap('x'))
  await api.editMessageText(person.id, message_id, 'b')
  await api.deleteMessage(person.id, message_id)
  await api.sendMessage(person.id, 'c', { reply_markup: { keyboard: [[{ text: 'k' }]] } })
  await api.setMyCommands([])
  person.say('d')
  person.block()
  stop()
  person.unblock()
  expect(heard).toEqual(
    'typing typing message answer edited deleted message keyboard commands message person'.split(' '),
  )
})
