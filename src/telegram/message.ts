import type { InlineKeyboardButton } from 'grammy/types'

/** So many letters Telegram takes in one message. */
export const MESSAGE_LIMIT = 4096

/** A message before it is sent: Telegram HTML and its buttons. */
export type Message = {
  text: string
  keyboard?: Button[][]
  /** Offers to share the own number with one tap, under the input. */
  contactButton?: { label: string; placeholder: string; known?: string; ask?: string }
  removeKeyboard?: true
  /** The content of a test is not to be forwarded or saved. */
  protect?: true
  /** The message that it answers, where that is still there. */
  replyTo?: number
  /** What does not fit into the message itself and goes before it. */
  before?: string[]
}

export type Button = InlineKeyboardButton
