import { type Api, GrammyError, InlineKeyboard, Keyboard } from 'grammy'
import type { Account } from '../domain/account.ts'
import type { Log } from '../observe/logger.ts'
import { isBlocked, isMessageGone, isNotModified } from '../telegram/errors.ts'
import { plain } from '../texts/html.ts'
import type { View } from '../views/view.ts'

/** What a turn does at Telegram, with an answer to each way in which Telegram can refuse it. */
export function createSender(api: Api, account: Account, log: Log) {
  const sent: number[] = []

  /** Does what a repeat cannot harm; `gone` when the message is not there or cannot be edited. */
  async function attempt(act: () => Promise<unknown>): Promise<'done' | 'gone'> {
    try {
      await act()
      return 'done'
    } catch (error) {
      if (isNotModified(error)) return 'done'
      if (isMessageGone(error)) return 'gone'
      if (isBlocked(error)) {
        account.blocked = true
        return 'done'
      }
      if (error instanceof GrammyError && error.error_code === 400) {
        log.warn({ err: error }, 'Telegram refused an edit')
        return 'gone'
      }
      throw error
    }
  }

  /** Tidies the chat up; what cannot be tidied stays and holds up nothing. */
  async function tidy(act: () => Promise<unknown>): Promise<void> {
    try {
      await act()
    } catch (err) {
      if (!isNotModified(err) && !isMessageGone(err)) log.debug({ err }, 'chat not tidied')
    }
  }

  async function send(view: View): Promise<number | undefined> {
    const messageId = await sendView(view)
    if (messageId !== undefined) sent.push(messageId)
    return messageId
  }

  async function sendView(view: View): Promise<number | undefined> {
    const options = {
      parse_mode: 'HTML' as const,
      link_preview_options: { is_disabled: true },
      ...(view.protect ? { protect_content: true } : {}),
      ...markupOf(view),
    }
    try {
      return (await api.sendMessage(account.chatId, view.text, options)).message_id
    } catch (error) {
      if (isBlocked(error)) {
        account.blocked = true
        return undefined
      }
      if (!(error instanceof GrammyError) || error.error_code !== 400) throw error
      // Our mistake, not the participant's: say the words without their form rather than nothing.
      log.error({ err: error }, 'Telegram refused a message')
      const { parse_mode: _, ...bare } = options
      return (await api.sendMessage(account.chatId, plain(view.text), bare)).message_id
    }
  }
  return { send, attempt, tidy, sent }
}

function markupOf(view: View) {
  if (view.contactButton) {
    const { label, placeholder, known } = view.contactButton
    const keyboard = new Keyboard().requestContact(label)
    if (known !== undefined) keyboard.row().text(known)
    return { reply_markup: keyboard.resized().oneTime().placeholder(placeholder) }
  }
  if (view.removeKeyboard) return { reply_markup: { remove_keyboard: true as const } }
  return view.keyboard ? { reply_markup: new InlineKeyboard(view.keyboard) } : {}
}
