import type { CallbackQuery, InlineKeyboardMarkup } from 'grammy/types'

/**
 * Whether the message under a tap has a button of what the tap is about; `undefined` where Telegram shows no buttons of it.
 * Data can be forged on any message: that changes none that is about something else.
 */
export function hasButtonOf({ message, data = '' }: CallbackQuery): boolean | undefined {
  const [, about = data] = data.split(':')
  const keyboard = keyboardOf(message)
  return keyboard && dataOf(keyboard).some((each) => each.includes(about))
}

/** What the tapped button says, nothing where there is no such button; `undefined` where Telegram shows none at all. */
export function labelOf({ message, data }: CallbackQuery): string | undefined {
  const all = keyboardOf(message)?.inline_keyboard.flat()
  return all && (all.find((each) => 'callback_data' in each && each.callback_data === data)?.text ?? '')
}

const keyboardOf = (message: CallbackQuery['message']): InlineKeyboardMarkup | undefined =>
  message && 'reply_markup' in message ? message.reply_markup : undefined

/** The data of all buttons under a message. */
export const dataOf = (keyboard: InlineKeyboardMarkup | undefined): string[] =>
  keyboard?.inline_keyboard.flat().flatMap((each) => ('callback_data' in each ? each.callback_data : [])) ??
  []
