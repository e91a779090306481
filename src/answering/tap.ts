import type { CallbackQuery, Update } from 'grammy/types'
import { buttons } from '../views/buttons.ts'

/** A tap on an option of a question. */
export type Tap = {
  query: CallbackQuery
  s: string
  question: number
  option: number
  revision: number
  messageId: number | undefined
  /** When Telegram drew what was tapped, by its own clock, which counts seconds. */
  drawnAt: number
}

/** Reads an answer tap; `undefined` for any other update. */
export function readTap({ callback_query: query }: Update): Tap | undefined {
  const read = buttons.answer.read(query?.data ?? '')
  if (!query || !read) return undefined
  // Only in the participant's own private chat: its id is the person's.
  if (query.message && query.message.chat.id !== query.from.id) return undefined
  const [s, question, option, revision] = read
  const { message } = query
  const drawnAt = 1_000 * ((message && 'edit_date' in message && message.edit_date) || message?.date || 0)
  return { query, s, question, option, revision, messageId: message?.message_id, drawnAt }
}

/** A clock is behind by less than that; a date that is further away is none. */
const BEHIND_MS = 60_000

/**
 * When a tap was made, for a sitting. Telegram had drawn before what was tapped: where our clock is behind Telegram's, a number
 * that was typed for it, and comes late, would seem to have been written for what follows.
 */
export function tappedAt({ drawnAt }: Pick<Tap, 'drawnAt'>, now: number): number {
  return drawnAt - now < BEHIND_MS ? Math.max(drawnAt, now) : now
}
