import type { MaybeInaccessibleMessage, Update } from 'grammy/types'
import { z } from 'zod'

const chat = z.looseObject({ id: z.int(), type: z.string() })
const user = z.looseObject({
  id: z.int(),
  is_bot: z.boolean().optional(),
  language_code: z.string().optional(),
})
const entities = z.array(z.looseObject({ type: z.string(), offset: z.int(), length: z.int() })).optional()
const placed = { message_id: z.int().positive(), date: z.number(), chat }
const message = z.looseObject({
  ...placed,
  from: user.optional(),
  text: z.string().optional(),
  entities,
  caption: z.string().optional(),
  caption_entities: entities,
  contact: z.looseObject({ phone_number: z.string(), user_id: z.int().optional() }).optional(),
  document: z.looseObject({ file_id: z.string(), file_size: z.int().optional() }).optional(),
})

/** As much of Telegram's updates as is read here, at any place. */
const understood = z.looseObject({
  update_id: z.int(),
  message: message.optional(),
  edited_message: message.optional(),
  callback_query: z
    .looseObject({
      id: z.string(),
      from: user,
      data: z.string().optional(),
      message: z.looseObject(placed).optional(),
    })
    .optional(),
  my_chat_member: z
    .looseObject({ chat, from: user, new_chat_member: z.looseObject({ status: z.string() }) })
    .optional(),
  inline_query: z.looseObject({ id: z.string(), from: user, query: z.string() }).optional(),
})

/** The same of a tap that is nothing else, the most of all updates, in a hundredth of the time. */
function isUnderstoodTap({ update_id: id, callback_query: query, ...others }: Update): boolean {
  if (!query || !Number.isSafeInteger(id) || !isObject(query) || Object.keys(others).length > 0) return false
  const { from, data, message, id: queryId } = query
  if (typeof queryId !== 'string' || typeof data !== 'string' || !isObject(from)) return false
  const { is_bot: isBot, language_code: code } = from
  if (!Number.isSafeInteger(from.id) || typeof isBot !== 'boolean') return false
  if (code !== undefined && typeof code !== 'string') return false
  return message !== undefined && isObject(message) && isUnderstoodPlace(message)
}

const isUnderstoodPlace = ({ message_id: id, date, chat }: MaybeInaccessibleMessage): boolean =>
  Number.isSafeInteger(id) &&
  id > 0 &&
  Number.isFinite(date) &&
  isObject(chat) &&
  Number.isSafeInteger(chat.id) &&
  typeof chat.type === 'string'

/** Far deeper than anything that Telegram sends; far less deep than what ends a stack. */
const DEEPEST = 100

const isShallow = (value: unknown, left = DEEPEST): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (left > 0 && Object.values(value).every((each) => isShallow(each, left - 1)))

/** As little as is known of what came from outside, whatever its type says. */
const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether an update is what Telegram says that updates are: one that is not would come again for ever, or be kept. */
export const isUnderstood = (update: Update): boolean =>
  isShallow(update) && (isUnderstoodTap(update) || understood.safeParse(update).success)
