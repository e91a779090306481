import type { CallbackQuery } from 'grammy/types'

/**
 * Whether the message under a tap has a button of what the tap is about; `undefined` where Telegram shows no buttons of it.
 * Data can be forged on any message: that changes none that is about something else.
 */
export function hasButtonOf({ message, data = '' }: CallbackQuery): boolean | undefined {
  const [, about = data] = data.split(':')
  const keyboard = message && 'reply_markup' in message ? message.reply_markup?.inline_keyboard : undefined
  return keyboard?.flat().some((each) => 'callback_data' in each && each.callback_data.includes(about))
}
