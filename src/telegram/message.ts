import type { InlineKeyboardButton } from 'grammy/types'

/** Telegram's limit of letters in one message. */
export const MESSAGE_LIMIT = 4096

/** A message before it is sent: Telegram HTML and its buttons. */
export type Message = {
  text: string
  keyboard?: Button[][]
  /** Offers to share the person's own number with one tap, below the input field. */
  contactButton?: { label: string; placeholder: string; known?: string; ask?: string }
  removeKeyboard?: true
  /** Forbids forwarding and saving, for the content of tests. */
  protect?: true
  /** The message that it replies to, if that still exists. */
  replyTo?: number
  /** Parts that do not fit into the message and are sent before it. */
  before?: string[]
}

export type Button = InlineKeyboardButton
