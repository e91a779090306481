import type { Update } from 'grammy/types'
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

/** The kinds of updates that are asked of Telegram. */
export const UPDATE_KINDS = [
  'message',
  'edited_message',
  'callback_query',
  'my_chat_member',
  'inline_query',
] as const

/** The parts of Telegram's updates that are read here, at any depth. */
const form = z.looseObject({
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

/** Far deeper than Telegram's updates, and far less deep than the limit of the stack. */
const DEEPEST = 100

const isShallow = (value: unknown, left = DEEPEST): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (left > 0 && Object.values(value).every((each) => isShallow(each, left - 1)))

/** Whether an update has the form of Telegram's updates: others would come again for ever, or be stored. */
export const isWellFormed = (update: Update): boolean => isShallow(update) && form.safeParse(update).success
