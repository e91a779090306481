import { type Api, GrammyError, type InputFile } from 'grammy'
import type { Message as WireMessage } from 'grammy/types'
import type { Log } from '../observe/logger.ts'
import { plain, shorten } from '../texts/texts.ts'
import {
  isBlocked,
  isMessageGone,
  isNotModified,
  isQueryTooOld,
  isRefused,
  isShownAlready,
} from './errors.ts'
import { type Button, MESSAGE_LIMIT, type Message } from './message.ts'
import { forGrammy } from './transport.ts'

/** What became of a change of a message: `gone` when it is not there or refuses it, so that it has to be said anew. */
export type Edited = 'done' | 'gone' | 'blocked'

/** Telegram's own date of what stands in a message, in whole seconds, and whether that has never been edited. */
export type Dated = { date: number; isNew: boolean }
/** Hears when Telegram has shown something, where it says so, and of the message that was answered by it. */
export type OnDated = (shown: Dated, repliedTo?: Dated) => void

/** What a message was told in its attempts before, in order; `now` grows with each confirmed send. */
export type SentParts = { before: SentPart[]; now: SentPart[] }
/** `key` stands for the chat, the words and the buttons. */
type SentPart = { key: string; id: number }
/** For whom is said: until when, and what has been confirmed already. */
type OnTask = { signal: AbortSignal; sent: SentParts; keyOf: (text: string) => string }

/** Everything that the bot says, in one form: Telegram HTML, without previews of links. */
export type Sender = {
  /** The same for one message of a queue: it does not wait for Telegram, and what was confirmed is not said again. */
  onTask(task: OnTask): Sender
  /** Sends a message, with all that goes before it, and returns its id; `onSent` hears of each one at once. */
  send(
    chatId: number,
    message: Message,
    onSent?: (messageId: number) => void,
    onDated?: OnDated,
  ): Promise<number>
  /** Puts a message in the place of another. */
  edit(chatId: number, messageId: number, message: Message, onDated?: OnDated): Promise<Edited>
  /** Whether a message shows exactly this, as Telegram knows. From then on it does, where it is still there. */
  shows(chatId: number, messageId: number, message: Message): Promise<boolean>
  /** Takes the buttons off a message; where that cannot be they stay, and hold up nothing. */
  disarm(chatId: number, messageId: number): Promise<unknown>
  /** Deletes messages; those that cannot be deleted stay, and hold up nothing. Returns those that can be later. */
  remove(chatId: number, messageIds: readonly number[]): Promise<number[]>
  /** Deletes a message of ours; one that is too old for it says `instead` from now on. */
  replace(chatId: number, messageId: number, instead: string): Promise<Edited>
  /**
   * Ends the waiting of a tapped button, with a word where there is one: plain text, as an alert or in passing. `false` where
   * nobody waits for it any more.
   */
  answer(queryId: string, text?: string, alert?: boolean): Promise<boolean>
  /** The file has a name of its own: by it and the caption it is known whether it was sent. */
  photo(chatId: number, file: InputFile, caption: string, how?: { protect?: true }): Promise<number>
  /** `handOn`: the button, added once Telegram has the file, by which it is sent to somebody else. */
  document(
    chatId: number,
    file: InputFile,
    caption: string,
    keyboard?: Button[][],
    handOn?: (fileId: string) => Button,
  ): Promise<number>
  /** Shows for a moment that work is going on; nobody waits for it. */
  typing(chatId: number): void
}

const HTML = { parse_mode: 'HTML' } as const
const QUIET = { link_preview_options: { is_disabled: true } } as const
const FORM = { ...HTML, ...QUIET } as const

const TOAST_LETTERS = 200
const MOST_DELETED_AT_ONCE = 100

type Parts = { api: Api; log: Log; task?: OnTask }

/** Failures that a caller has to plan for, a blocked chat among them, are thrown; see `errors.ts`. */
export function createSender(parts: Parts): Sender {
  const { api, log, task } = parts
  const signal = task && forGrammy(task.signal)

  const sendOne = (chatId: number, message: Message, onDated?: OnDated) =>
    sendOnce(task, keyOf(chatId, message), () => sendNow(chatId, message).then(notifying(onDated)))

  async function sendNow(chatId: number, message: Message): Promise<Sent> {
    const options = optionsOf(message)
    try {
      return await api.sendMessage(chatId, message.text, { ...FORM, ...options }, signal)
    } catch (error) {
      if (!isOurMistake(error)) throw error
      // The participant is not to suffer for it: fewer words, without their form, rather than nothing.
      log.error({ err: error }, 'Telegram refused a message')
      return api.sendMessage(chatId, bare(message.text), { ...QUIET, ...options }, signal)
    }
  }

  function editNow(chatId: number, messageId: number, { text, keyboard }: Message): Promise<Sent | true> {
    const form = keyboard ? { reply_markup: { inline_keyboard: keyboard }, ...FORM } : FORM
    return api.editMessageText(chatId, messageId, text, form, signal)
  }

  const change = (act: Promise<unknown>) => changed(act, log)
  const tidy = (act: Promise<unknown>) => tidied(act, log)

  return {
    onTask: (task) => createSender({ api, log, task }),
    async send(chatId, message, onSent, onDated) {
      for (const text of message.before ?? []) {
        const before = await sendOne(chatId, { text, ...(message.protect && { protect: true }) })
        onSent?.(before)
      }
      const messageId = await sendOne(chatId, message, onDated)
      onSent?.(messageId)
      return messageId
    },
    edit: (chatId, messageId, message, onDated) =>
      change(editNow(chatId, messageId, message).then(notifying(onDated))),
    async shows(chatId, messageId, message) {
      let isSame = false
      const edited = editNow(chatId, messageId, message).catch((error: unknown) => {
        isSame = isShownAlready(error)
        throw error
      })
      await change(edited)
      return isSame
    },
    disarm: (chatId, messageId) => tidy(api.editMessageReplyMarkup(chatId, messageId, {}, signal)),
    async remove(chatId, messageIds) {
      // What was said in vain goes also when the lease is lost.
      const during = task?.signal.aborted ? undefined : signal
      const left: number[] = []
      for (let at = 0; at < messageIds.length; at += MOST_DELETED_AT_ONCE) {
        const some = messageIds.slice(at, at + MOST_DELETED_AT_ONCE)
        if (!(await tidy(api.deleteMessages(chatId, some, during)))) left.push(...some)
      }
      return left
    },
    async replace(chatId, messageId, instead) {
      const deleted = await change(api.deleteMessage(chatId, messageId, signal))
      if (deleted === 'gone') await tidy(api.editMessageText(chatId, messageId, instead, FORM, signal))
      return deleted
    },
    answer(queryId, text, alert = false) {
      const word = text ? { text: shorten(text, TOAST_LETTERS), show_alert: alert } : {}
      return isHeard(api.answerCallbackQuery(queryId, word, signal))
    },
    ...fileSender(parts),
    typing: (chatId) => void api.sendChatAction(chatId, 'typing').catch(() => undefined),
  }
}

function fileSender({ api, log, task }: Parts): Pick<Sender, 'photo' | 'document'> {
  const signal = task && forGrammy(task.signal)
  return {
    photo: (chatId, file, caption, { protect } = {}) => {
      const how = { caption, ...HTML, ...(protect && { protect_content: true }) }
      const key = `${chatId}\nphoto\n${file.filename}\n${caption}`
      return sendOnce(task, key, () => api.sendPhoto(chatId, file, how, signal))
    },
    document: (chatId, file, caption, keyboard = [], handOn) => {
      const buttons = keyboard.length > 0 && { reply_markup: { inline_keyboard: keyboard } }
      const how = { caption, ...HTML, ...buttons }
      return sendOnce(task, `${chatId}\ndocument\n${caption}`, async () => {
        const sent = await api.sendDocument(chatId, file, how, signal)
        if (!handOn) return sent
        const reply_markup = { inline_keyboard: [...keyboard, [handOn(sent.document.file_id)]] }
        const { message_id: id } = sent
        await tidied(api.editMessageReplyMarkup(chatId, id, { reply_markup }, signal), log)
        return sent
      })
    },
  }
}

const keyOf = (chatId: number, { text, keyboard }: Message): string =>
  [chatId, text, ...(keyboard ? [JSON.stringify(keyboard)] : [])].join('\n')

/** Sends what was not confirmed in an earlier attempt; where that went another way, everything is sent from there on. */
async function sendOnce(
  task: OnTask | undefined,
  text: string,
  send: () => Promise<Pick<Sent, 'message_id'>>,
) {
  if (!task) return (await send()).message_id
  const { sent, keyOf } = task
  const key = keyOf(text)
  const known = sent.before[sent.now.length]
  if (known?.key !== key) sent.before = []
  const id = known?.key === key ? known.id : (await send()).message_id
  sent.now.push({ key, id })
  return id
}

/** What became of what a repeat cannot harm. */
async function changed(act: Promise<unknown>, log: Log): Promise<Edited> {
  try {
    await act
    return 'done'
  } catch (error) {
    if (isNotModified(error)) return 'done'
    if (isMessageGone(error)) return 'gone'
    if (isBlocked(error)) return 'blocked'
    if (!isOurMistake(error)) throw error
    log.warn({ err: error }, 'Telegram refused an edit')
    return 'gone'
  }
}

/** Waits for what tidies the chat up, if that can be; `false` where it can be later. */
async function tidied(act: Promise<unknown>, log: Log): Promise<boolean> {
  try {
    await act
    return true
  } catch (err) {
    if (!isNotModified(err) && !isMessageGone(err)) log.debug({ err }, 'chat not tidied')
    return isRefused(err)
  }
}

async function isHeard(answer: Promise<unknown>): Promise<boolean> {
  try {
    await answer
    return true
  } catch (error) {
    if (!isQueryTooOld(error)) throw error
    return false
  }
}

type Sent = Pick<WireMessage, 'message_id' | 'date' | 'edit_date' | 'reply_to_message'>

/** Telegram's own date of what stands in a message. */
export const datedBy = ({ date, edit_date }: Pick<Sent, 'date' | 'edit_date'>): Dated => ({
  date: edit_date ?? date,
  isNew: edit_date === undefined,
})

/** Tells when Telegram has shown what it answers with. */
const notifying =
  (onDated: OnDated | undefined) =>
  <T extends Sent | true>(sent: T): T => {
    if (sent !== true) onDated?.(datedBy(sent), sent.reply_to_message && datedBy(sent.reply_to_message))
    return sent
  }

/** The words without their form, as many as one message takes. */
const bare = (html: string): string => shorten(plain(html), MESSAGE_LIMIT)

/** Telegram cannot show what we made; it would refuse it however often it came. */
const isOurMistake = (error: unknown): boolean =>
  error instanceof GrammyError && error.error_code === 400 && !isBlocked(error)

const optionsOf = (message: Message) => ({
  ...(message.protect && { protect_content: true }),
  ...(message.replyTo !== undefined && {
    reply_parameters: { message_id: message.replyTo, allow_sending_without_reply: true },
  }),
  ...markupOf(message),
})

function markupOf({ contactButton, removeKeyboard, keyboard }: Message) {
  if (contactButton) {
    const { label, placeholder, known, ask } = contactButton
    const typed = [known, ask].flatMap((text) => (text === undefined ? [] : [[{ text }]]))
    const shape = { resize_keyboard: true, one_time_keyboard: true, input_field_placeholder: placeholder }
    return {
      reply_markup: { keyboard: [[{ text: label, request_contact: true as const }], ...typed], ...shape },
    }
  }
  if (removeKeyboard) return { reply_markup: { remove_keyboard: true as const } }
  return keyboard && { reply_markup: { inline_keyboard: keyboard } }
}
