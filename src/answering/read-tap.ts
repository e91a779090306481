import type { CallbackQuery, Update } from 'grammy/types'
import { hasButtonOf } from '../telegram/tapped.ts'
import { buttons } from '../views/buttons.ts'

/** A tap on an option of a question. */
export type Tap = {
  query: CallbackQuery
  s: string
  question: number
  option: number
  revision: number
  messageId: number | undefined
}

/** Reads an answer tap; `undefined` for any other update. */
export function readTap({ callback_query: query }: Update): Tap | undefined {
  const read = buttons.answer.read(query?.data ?? '')
  if (!query || !read) return undefined
  // Only in the participant's own private chat: its id is the participant's.
  if (query.message && query.message.chat.id !== query.from.id) return undefined
  const [s, question, option, revision] = read
  const messageId = hasButtonOf(query) === false ? undefined : query.message?.message_id
  return { query, s, question, option, revision, messageId }
}
