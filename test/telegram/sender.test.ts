import { InputFile } from 'grammy'
import { expect, test } from 'vitest'
import { createTelegramClient } from '../../src/telegram/client.ts'
import { isBlocked, isUnclear } from '../../src/telegram/errors.ts'
import { createSender, type Sender } from '../../src/telegram/sender.ts'
import { until } from '../until.ts'
import { type Scripted, startFakeTelegram } from './fake-telegram.ts'

const refused = (description: string): Scripted => ({
  error: 400,
  description: `Bad Request: ${description}`,
})
const blocked: Scripted = { error: 403, description: 'Forbidden: bot was blocked by the user' }
const message = (id: number): Scripted => ({ result: { message_id: id } })

/** A sender to a Telegram that answers as scripted. */
async function senderBefore(...script: Scripted[]) {
  const telegram = await startFakeTelegram(...script)
  const logged: string[] = []
  const slept: number[] = []
  const write = (level: string) => (_fields: object, words: string) => logged.push(`${level}: ${words}`)
  const log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
  const api = createTelegramClient({
    token: '1:t',
    apiRoot: telegram.apiRoot,
    now: () => 0,
    sleep: async (ms) => void slept.push(ms),
  })
  const calls = () =>
    telegram.received.map(({ method, body }) => ({
      method,
      ...JSON.parse(Buffer.from(body, 'latin1').toString()),
    }))
  return { ...createSender({ api, log }), logged, slept, telegram, calls }
}

const html = { parse_mode: 'HTML', link_preview_options: { is_disabled: true } }

test('a message has Telegram’s date, whatever our clock says', async () => {
  const edited = { message_id: 7, date: 1_000, edit_date: 1_037 }
  const { send, edit } = await senderBefore({ result: { message_id: 7, date: 1_000 } }, { result: edited })
  const dates: unknown[] = []
  await send(5, { text: 'x' }, undefined, (dated) => dates.push(dated))
  await edit(5, 7, { text: 'y' }, (dated) => dates.push(dated))
  expect(dates).toEqual([
    { date: 1_000, isNew: true },
    { date: 1_037, isNew: false },
  ])
})

test('a message is sent as HTML, with its buttons and without previews', async () => {
  const { send, calls } = await senderBefore(message(7))
  const keyboard = [[{ text: 'بله', callback_data: 'y' }]]
  expect(await send(5, { text: '<b>سلام</b>', keyboard, protect: true })).toBe(7)
  expect(calls()).toEqual([
    {
      method: 'sendMessage',
      chat_id: 5,
      text: '<b>سلام</b>',
      ...html,
      protect_content: true,
      reply_markup: { inline_keyboard: keyboard },
    },
  ])
})

test('texts that do not fit are sent before the message, and each one is reported', async () => {
  const { send, calls } = await senderBefore(message(1), message(2), message(3))
  const heard: number[] = []
  const id = await send(5, { text: 'c', before: ['a', 'b'], keyboard: [] }, (sent) => heard.push(sent))
  expect([id, heard]).toEqual([3, [1, 2, 3]])
  expect(calls().map(({ text, reply_markup }) => [text, reply_markup])).toEqual([
    ['a', undefined],
    ['b', undefined],
    ['c', { inline_keyboard: [] }],
  ])
})

test('the keyboard under the input is shown and removed', async () => {
  const { send, calls } = await senderBefore(message(1), message(2))
  const contactButton = { label: 'Share', placeholder: '09…', known: '0912' }
  await send(5, { text: 'a', contactButton })
  await send(5, { text: 'b', removeKeyboard: true })
  expect(calls().map(({ reply_markup }) => reply_markup)).toEqual([
    {
      keyboard: [[{ text: 'Share', request_contact: true }], [{ text: '0912' }]],
      resize_keyboard: true,
      one_time_keyboard: true,
      input_field_placeholder: '09…',
    },
    { remove_keyboard: true },
  ])
})

test('a text whose format Telegram refuses is sent without format', async () => {
  const { send, calls, logged } = await senderBefore(refused("can't parse entities: …"), message(8))
  expect(await send(5, { text: '<b>a &amp; b', keyboard: [], protect: true })).toBe(8)
  expect(calls()[1]).toEqual({
    method: 'sendMessage',
    chat_id: 5,
    text: 'a & b',
    link_preview_options: html.link_preview_options,
    protect_content: true,
    reply_markup: { inline_keyboard: [] },
  })
  expect(logged).toEqual(['error: Telegram refused a message'])
})

test('a message that Telegram refuses as too long is shortened', async () => {
  const { send, calls, logged } = await senderBefore(refused('message is too long'), message(8))
  expect(await send(5, { text: `<b>${'آ'.repeat(4_200)}</b>` })).toBe(8)
  expect(calls()[1].text).toBe(`${'آ'.repeat(4_095)}…`)
  expect(logged).toEqual(['error: Telegram refused a message'])
})

test.each<[string, Scripted, (error: unknown) => boolean]>([
  ['a chat that has blocked the bot', blocked, isBlocked],
  ['a chat that is not there', refused('chat not found'), isBlocked],
  ['a lost answer', 'cut', isUnclear],
])('%s is left to the caller', async (_name, answer, isIt) => {
  const { send, telegram } = await senderBefore(answer)
  const error = await send(5, { text: 'x' }).catch((thrown: unknown) => thrown)
  expect(isIt(error)).toBe(true)
  expect(telegram.received).toHaveLength(1)
})

test.each<[string, Scripted, string]>([
  ['done', { result: true }, 'done'],
  ['not modified', refused('message is not modified: …'), 'done'],
  ['not found', refused('message to edit not found'), 'gone'],
  ['not editable', refused("message can't be edited"), 'gone'],
  ['refused for its form', refused('BUTTON_DATA_INVALID'), 'gone'],
  ['blocked', blocked, 'blocked'],
])('an edit reports its outcome: %s', async (_name, answer, outcome) => {
  const { edit, calls } = await senderBefore(answer)
  const keyboard = [[{ text: 'a', callback_data: 'b' }]]
  expect(await edit(5, 3, { text: '<i>x</i>', keyboard })).toBe(outcome)
  expect(calls()).toEqual([
    {
      method: 'editMessageText',
      chat_id: 5,
      message_id: 3,
      text: '<i>x</i>',
      ...html,
      reply_markup: { inline_keyboard: keyboard },
    },
  ])
})

test('an edit that Telegram cannot make now throws', async () => {
  const { edit } = await senderBefore('cut', 'cut', 'cut')
  const error = await edit(5, 3, { text: 'x' }).catch((thrown: unknown) => thrown)
  expect(isUnclear(error)).toBe(true)
})

test('buttons and messages that cannot be removed delay nothing', async () => {
  const gone = refused('message to edit not found')
  const { removeButtons, remove, calls, logged } = await senderBefore(gone, refused('something new'), blocked)
  await removeButtons(5, 3)
  await removeButtons(5, 3)
  await remove(5, [1, 2])
  expect(calls().map(({ method }) => method)).toEqual([
    'editMessageReplyMarkup',
    'editMessageReplyMarkup',
    'deleteMessages',
  ])
  expect(logged).toEqual(['debug: chat not tidied', 'debug: chat not tidied'])
})

test('messages are deleted in hundreds, none without a call to Telegram', async () => {
  const { remove, calls } = await senderBefore()
  await remove(5, [])
  await remove(
    5,
    Array.from({ length: 201 }, (_, index) => index),
  )
  expect(calls().map(({ message_ids }) => message_ids.length)).toEqual([100, 100, 1])
})

test.each(['removeButtons', 'remove', 'replace', 'answer'] as const)(
  'a message of the queue does not wait while Telegram delays its chat: %s',
  async (what) => {
    const { onTask, slept, calls } = await senderBefore({ error: 429, retryAfter: 25 })
    const abort = new AbortController()
    const sender = onTask({ signal: abort.signal, sent: { before: [], now: [] }, keyOf: (text) => text })
    const acts = {
      removeButtons: () => sender.removeButtons(5, 3),
      remove: () => sender.remove(5, [3]).then((left) => expect(left).toEqual([3])),
      replace: () => expect(sender.replace(5, 3, 'moved')).rejects.toThrow('retry after'),
      answer: () => expect(sender.answer('1')).rejects.toThrow('retry after'),
    }
    await acts[what]()
    expect([slept, calls().length]).toEqual([[], 1])
  },
)

test('a sent message is deleted even after its queue message went to another worker', async () => {
  const { onTask, calls } = await senderBefore()
  const signal = AbortSignal.abort()
  await onTask({ signal, sent: { before: [], now: [] }, keyOf: (text) => text }).remove(5, [3])
  expect(calls()).toEqual([{ method: 'deleteMessages', chat_id: 5, message_ids: [3] }])
})

test('a message that is too old to be deleted gets another text instead', async () => {
  const { replace, calls } = await senderBefore({ result: true }, refused("message can't be deleted"))
  expect(await replace(5, 3, 'moved')).toBe('done')
  expect(await replace(5, 3, 'moved')).toBe('gone')
  expect(calls().map(({ method, text }) => [method, text])).toEqual([
    ['deleteMessage', undefined],
    ['deleteMessage', undefined],
    ['editMessageText', 'moved'],
  ])
})

test('a tap is answered with as much text as a toast holds, and an expired one is ignored', async () => {
  const { answer, calls } = await senderBefore(
    { result: true },
    { result: true },
    refused('query is too old'),
  )
  await answer('1')
  await answer('2', '🙂'.repeat(201), true)
  await answer('3', 'word')
  expect(calls()).toEqual([
    { method: 'answerCallbackQuery', callback_query_id: '1' },
    {
      method: 'answerCallbackQuery',
      callback_query_id: '2',
      text: `${'🙂'.repeat(199)}…`,
      show_alert: true,
    },
    { method: 'answerCallbackQuery', callback_query_id: '3', text: 'word', show_alert: false },
  ])
})

test('files carry a caption in HTML; a failed typing sign is never an error', async () => {
  const { photo, document, typing, telegram } = await senderBefore(message(1), message(2), blocked)
  const file = () => new InputFile(Buffer.from('bytes'), 'a.bin')
  expect(await photo(5, file(), '<b>p</b>')).toBe(1)
  expect(await document(5, file(), '<b>d</b>')).toBe(2)
  typing(5)
  await until(() => telegram.methods().length === 3)
  expect(telegram.methods()).toEqual(['sendPhoto', 'sendDocument', 'sendChatAction'])
  expect(telegram.received[0]?.body).toMatch(/name="parse_mode"\s+HTML/)
})

test('a picture or document that was confirmed is not sent again with its message', async () => {
  const { onTask } = await senderBefore(message(1), message(2), blocked, message(3))
  const before: { key: string; id: number }[] = []
  const attempt = async () => {
    const sent = { before: [...before], now: [] as typeof before }
    const sender = onTask({ signal: new AbortController().signal, sent, keyOf: (text) => text })
    const ids: number[] = []
    try {
      ids.push(await sender.photo(5, new InputFile(Buffer.from('a')), 'one'))
      ids.push(await sender.document(5, new InputFile(Buffer.from('b')), 'two'))
      ids.push(await sender.send(5, { text: 'c' }))
    } catch (error) {
      expect(isBlocked(error)).toBe(true)
    }
    before.splice(0, before.length, ...sent.now)
    return ids
  }
  expect([await attempt(), await attempt()]).toEqual([
    [1, 2],
    [1, 2, 3],
  ])
})

test('another picture with the caption of a confirmed one is sent, and so are other buttons', async () => {
  const { onTask } = await senderBefore(message(1), message(2), message(3), message(4))
  const keyOf = (text: string) => text
  const { signal } = new AbortController()
  const sent = { before: [] as { key: string; id: number }[], now: [] as { key: string; id: number }[] }
  const picture = (sender: Sender, name: string) =>
    sender.photo(5, new InputFile(Buffer.from(name), name), '')
  const asked = (sender: Sender, data: string) =>
    sender.send(5, { text: 'which?', keyboard: [[{ text: 'this', callback_data: data }]] })
  expect(await picture(onTask({ signal, sent, keyOf }), 'a.png')).toBe(1)
  expect(await asked(onTask({ signal, sent, keyOf }), 'a')).toBe(2)
  const again = onTask({ signal, sent: { before: sent.now, now: [] }, keyOf })
  expect(await picture(again, 'a.png')).toBe(1)
  expect(await asked(again, 'b')).toBe(3)
  const other = onTask({ signal, sent: { before: sent.now, now: [] }, keyOf })
  expect(await picture(other, 'b.png')).toBe(4)
})

test('a report that can be forwarded gets its button once Telegram has the file', async () => {
  const sent = { result: { message_id: 7, document: { file_id: 'id-of-the-report' } } }
  const { document, telegram } = await senderBefore(sent, refused('message to edit not found'))
  const shareButton = (fileId: string) => ({ text: 'x', switch_inline_query_chosen_chat: { query: fileId } })
  expect(await document(5, new InputFile(Buffer.from('pdf'), 'r.pdf'), 'a', [], shareButton)).toBe(7)
  const [, edited] = telegram.received
  expect(edited?.method).toBe('editMessageReplyMarkup')
  expect(Buffer.from(edited?.body ?? '', 'latin1').toString()).toContain('id-of-the-report')
})
