import type { CallbackQuery, InlineKeyboardMarkup } from 'grammy/types'

/**
 * Whether the tapped message has a button about the same subject; `undefined` if Telegram does not show its
 * buttons. Forged data can come from any message: this check keeps messages about other subjects unchanged.
 */
export function hasButtonOf({ message, data = '' }: CallbackQuery): boolean | undefined {
  const [, about = data] = data.split(':')
  const keyboard = keyboardOf(message)
  return keyboard && dataOf(keyboard).some((each) => each.includes(about))
}

const keyboardOf = (message: CallbackQuery['message']): InlineKeyboardMarkup | undefined =>
  message && 'reply_markup' in message ? message.reply_markup : undefined

/** The data of all buttons under a message. */
export const dataOf = (keyboard: InlineKeyboardMarkup | undefined): string[] =>
  keyboard?.inline_keyboard.flat().flatMap((each) => ('callback_data' in each ? each.callback_data : [])) ??
  []
