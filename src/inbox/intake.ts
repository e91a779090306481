import { randomBytes } from 'node:crypto'
import type { InlineQuery, Update } from 'grammy/types'
import { z } from 'zod'
import type { AnswerTap } from '../answering/answer-tap.ts'
import type { ContextDeps } from '../dialog/update-context.ts'
import { traceOf } from '../observe/logger.ts'
import { type ChatEvent, type ChatMessage, chatActor } from '../queue/chat-message.ts'
import { createBoundedMap } from '../storage/bounded-map.ts'
import { accountKey } from '../storage/documents/kinds.ts'
import { sealBody } from '../storage/documents.ts'
import type { Translate } from '../texts/texts.ts'

type IntakeDeps = Pick<ContextDeps, 'store' | 'vault' | 'sender' | 'log'> & {
  /** Takes answer taps, which wait in no queue. */
  answerTap: () => AnswerTap
  answerInline: (query: InlineQuery) => Promise<void>
  t: Translate
  username: () => string
  onUpdate: (kind: string) => void
  wake: () => void
  /** Identifies this run of the process. */
  life: string
}

/** Puts updates and events into the queues of their chats. Everything is encrypted before it is stored. */
export function createIntake(deps: IntakeDeps) {
  const { store, vault, answerTap, answerInline, log, onUpdate, wake, life } = deps
  const refuseGroup = createGroupRefusal(deps)

  async function postMessage(who: string, id: string, message: ChatMessage): Promise<void> {
    const actor = chatActor(who)
    await store.post({ actor, id, body: sealBody(vault, actor, message) })
    wake()
  }

  async function post(update: Update, at = performance.now()): Promise<void> {
    const chatId = privateChat(update)
    if (chatId === undefined) return
    const who = accountKey(vault, chatId)
    // Update numbers start again when a bot moves, so a repeated update is recognized by its whole content.
    const id = vault.hash('update', JSON.stringify(update))
    await postMessage(who, id, { type: 'update', chatId, update, arrival: { life, at } })
  }

  return {
    post,
    async postEvent({ who, chatId, s }: { who: string; chatId: number; s: string }, event: ChatEvent) {
      await postMessage(who, randomBytes(12).toString('base64url'), { type: 'event', chatId, s, event })
    },
    /** Resolves when the update is safe. Without `arrivedAt` it has just arrived (`performance.now()`). */
    async handle(update: Update, arrivedAt?: number): Promise<void> {
      if (!isUnderstood(update)) return log.warn({}, 'update not understood')
      const kind = KINDS.find((key) => key in update) ?? 'other'
      onUpdate(kind)
      if (update.inline_query) {
        // A late answer is of no use, so the query is not stored.
        await answerInline(update.inline_query).catch((err: unknown) =>
          log.warn({ err }, 'inline query not answered'),
        )
        const trace = traceOf(accountKey(vault, update.inline_query.from.id))
        log.info({ actor: 'inline', kind, trace }, 'handled')
        return
      }
      const taken = answerTap().take(update)
      if (taken) return taken
      if (privateChat(update) !== undefined) return post(update, arrivedAt)
      log.info({ actor: 'group', kind }, 'handled')
      refuseGroup(update).catch((err: unknown) => log.warn({ err }, 'group not answered'))
    },
  }
}

/** The kinds that an update is counted and logged as: never a name that a sender chose. */
const KINDS = ['message', 'edited_message', 'callback_query', 'my_chat_member', 'inline_query'] as const

/** The private chat of an update, whose id is the person's. */
function privateChat(update: Update): number | undefined {
  const { message, edited_message: edited, callback_query: query, my_chat_member: member } = update
  const chat = message?.chat ?? edited?.chat ?? member?.chat
  if (chat) return chat.type === 'private' ? chat.id : undefined
  if (!query) return undefined
  return query.message === undefined || query.message.chat.id === query.from.id ? query.from.id : undefined
}

const GROUPS_KNOWN = 1_000
/** The most groups answered at once; other groups meanwhile are not worth a queue. */
const AT_ONCE = 5
const DAY_SECONDS = 86_400

/** Stores nothing of a group; once a day it answers a command that names the bot with the way to it. */
function createGroupRefusal({ sender, t, username }: Pick<IntakeDeps, 'sender' | 't' | 'username'>) {
  /** The day, by Telegram's clock, on which each group was last answered. */
  const answered = createBoundedMap<number, number>(GROUPS_KNOWN)
  let underWay = 0

  return async ({ message, callback_query: query }: Update): Promise<void> => {
    if (query) await sender.answer(query.id)
    if (!message || message.from?.is_bot || !isCalled(message.text, username())) return
    const { chat, date } = message
    const day = Math.floor(date / DAY_SECONDS)
    if (answered.get(chat.id) === day || underWay >= AT_ONCE) return
    answered.set(chat.id, day)
    underWay += 1
    const text = t('only-private', { link: `https://t.me/${username()}` })
    await sender.send(chat.id, { text }).finally(() => {
      underWay -= 1
    })
  }
}

/** Whether a text is a command that names this bot (`/start@name`). */
function isCalled(text: string | undefined, username: string): boolean {
  const [, name] = /^\/\w+@(\w+)(?:\s|$)/.exec(text ?? '') ?? []
  return name !== undefined && name.toLowerCase() === username.toLowerCase()
}

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

/** The parts of Telegram's updates that are read here, at any depth. */
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

/** Far deeper than Telegram's updates, and far less deep than the limit of the stack. */
const DEEPEST = 100

const isShallow = (value: unknown, left = DEEPEST): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (left > 0 && Object.values(value).every((each) => isShallow(each, left - 1)))

/** Whether an update has the form of Telegram's updates: others would come again for ever, or be stored. */
export const isUnderstood = (update: Update): boolean =>
  isShallow(update) && understood.safeParse(update).success
