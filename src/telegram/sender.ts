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

/** The outcome of a change. `gone`: the message cannot change, so its content must be sent again. */
export type Edited = 'done' | 'gone' | 'blocked'

/** Telegram's date of a message's current content, in whole seconds, and whether it was never edited. */
export type Dated = { date: number; isNew: boolean }
/** Called with Telegram's date of a shown message, and with that of the message it replies to. */
export type OnDated = (shown: Dated, repliedTo?: Dated) => void

/** The sends that earlier attempts of a task confirmed, in order; `now`: those of this attempt. */
export type SentParts = { before: SentPart[]; now: SentPart[] }
/** `key` identifies the chat, the text and the buttons. */
type SentPart = { key: string; id: number }
/** The task that sends: its signal, and its confirmed sends. */
type OnTask = { signal: AbortSignal; sent: SentParts; keyOf: (text: string) => string }

/** Sends everything in one form: Telegram HTML, without link previews. */
export type Sender = {
  /** A sender for one queued message: it throws at a long pause of Telegram and repeats no confirmed send. */
  onTask(task: OnTask): Sender
  /** Sends a message after its `before` parts, and returns its id; `onSent` is called after each part. */
  send(
    chatId: number,
    message: Message,
    onSent?: (messageId: number) => void,
    onDated?: OnDated,
  ): Promise<number>
  /** Replaces the content of a message. */
  edit(chatId: number, messageId: number, message: Message, onDated?: OnDated): Promise<Edited>
  /** Edits a message. Whether it already showed exactly this, as Telegram knows. */
  shows(chatId: number, messageId: number, message: Message): Promise<boolean>
  /** Removes the buttons of a message, if possible; failures do not matter. */
  removeButtons(chatId: number, messageId: number): Promise<unknown>
  /** Deletes messages, if possible. Returns those that can be deleted later. */
  remove(chatId: number, messageIds: readonly number[]): Promise<number[]>
  /** Deletes a message of the bot; one that is too old is edited to show `instead`. */
  replace(chatId: number, messageId: number, instead: string): Promise<Edited>
  /**
   * Answers a callback query, with an optional plain text as an alert or a toast. `false` when the query is
   * too old.
   */
  answer(queryId: string, text?: string, alert?: boolean): Promise<boolean>
  /** The file's name and the caption together identify it among confirmed sends. */
  photo(chatId: number, file: InputFile, caption: string, how?: { protect?: true }): Promise<number>
  /** `shareButton`: makes a button that passes the file on by its Telegram id; it is added after the upload. */
  document(
    chatId: number,
    file: InputFile,
    caption: string,
    keyboard?: Button[][],
    shareButton?: (fileId: string) => Button,
  ): Promise<number>
  /** Shows the typing status for a moment; does not wait for it. */
  typing(chatId: number): void
}

const HTML = { parse_mode: 'HTML' } as const
const QUIET = { link_preview_options: { is_disabled: true } } as const
const FORM = { ...HTML, ...QUIET } as const

const TOAST_LETTERS = 200
const MOST_DELETED_AT_ONCE = 100

type Parts = { api: Api; log: Log; task?: OnTask }

/** Throws the failures that callers must handle, such as a blocked chat; see `errors.ts`. */
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
      // Our mistake: send the plain text, shortened, rather than nothing.
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
    removeButtons: (chatId, messageId) => tidy(api.editMessageReplyMarkup(chatId, messageId, {}, signal)),
    async remove(chatId, messageIds) {
      // Delete obsolete messages even when the lease is lost.
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
      return isInTime(api.answerCallbackQuery(queryId, word, signal))
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
    document: (chatId, file, caption, keyboard = [], shareButton) => {
      const buttons = keyboard.length > 0 && { reply_markup: { inline_keyboard: keyboard } }
      const how = { caption, ...HTML, ...buttons }
      return sendOnce(task, `${chatId}\ndocument\n${caption}`, async () => {
        const sent = await api.sendDocument(chatId, file, how, signal)
        if (!shareButton) return sent
        const reply_markup = { inline_keyboard: [...keyboard, [shareButton(sent.document.file_id)]] }
        const { message_id: id } = sent
        await tidied(api.editMessageReplyMarkup(chatId, id, { reply_markup }, signal), log)
        return sent
      })
    },
  }
}

const keyOf = (chatId: number, { text, keyboard }: Message): string =>
  [chatId, text, ...(keyboard ? [JSON.stringify(keyboard)] : [])].join('\n')

/** Skips a send that an earlier attempt confirmed. If the attempts differ, sends everything from here on. */
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

/** Turns the result of a harmless call into an outcome. */
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

/** Waits for a cleanup of the chat; `false` if it failed and may work later. */
async function tidied(act: Promise<unknown>, log: Log): Promise<boolean> {
  try {
    await act
    return true
  } catch (err) {
    if (!isNotModified(err) && !isMessageGone(err)) log.debug({ err }, 'chat not tidied')
    return isRefused(err)
  }
}

async function isInTime(answer: Promise<unknown>): Promise<boolean> {
  try {
    await answer
    return true
  } catch (error) {
    if (!isQueryTooOld(error)) throw error
    return false
  }
}

type Sent = Pick<WireMessage, 'message_id' | 'date' | 'edit_date' | 'reply_to_message'>

/** Telegram's date of a message's current content. */
const datedBy = ({ date, edit_date }: Pick<Sent, 'date' | 'edit_date'>): Dated => ({
  date: edit_date ?? date,
  isNew: edit_date === undefined,
})

/** Reports Telegram's date of the message that it returns. */
const notifying =
  (onDated: OnDated | undefined) =>
  <T extends Sent | true>(sent: T): T => {
    if (sent !== true) onDated?.(datedBy(sent), sent.reply_to_message && datedBy(sent.reply_to_message))
    return sent
  }

/** The plain text, shortened to one message. */
const bare = (html: string): string => shorten(plain(html), MESSAGE_LIMIT)

/** Telegram cannot show our message and would always refuse it. */
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
