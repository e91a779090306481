import { randomBytes } from 'node:crypto'
import type { InlineQuery, Update } from 'grammy/types'
import type { AnswerTap } from '../answering/answer-tap.ts'
import type { Log } from '../observe/logger.ts'
import { traceOf } from '../observe/trace.ts'
import { type ChatMessage, chatActor } from '../queue/chat-message.ts'
import type { ChatEvent } from '../queue/events.ts'
import { sealBody } from '../storage/documents.ts'
import type { Store } from '../storage/store.ts'
import type { Vault } from '../storage/vault.ts'
import type { Sender } from '../telegram/sender.ts'
import type { Translate } from '../texts/texts.ts'
import { createGroupRefusal } from './refuse-group.ts'
import { isUnderstood } from './understood.ts'

type Intake = {
  /** Resolves when an update cannot be lost any more; one that says nothing else came just now (`performance.now()`). */
  handle(update: Update, arrivedAt?: number): Promise<void>
  post(update: Update): Promise<void>
  postEvent(to: { who: string; chatId: number; s: string }, event: ChatEvent): Promise<void>
}

/** Puts updates and events into the queues of their chats. Everything is sealed before it is kept. */
export function createIntake(deps: {
  store: Store
  vault: Vault
  sender: Sender
  /** Answer taps, which do not wait in a queue. */
  answerTap: () => AnswerTap
  answerInline: (query: InlineQuery) => Promise<void>
  t: Translate
  username: () => string
  log: Log
  onUpdate: (kind: string) => void
  wake: () => void
  /** Tells this life of this process from every other. */
  life: string
}): Intake {
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
    const who = vault.hash('account', String(chatId))
    // Numbers of updates start again when a bot moves, so the whole of it tells a repeated one.
    const id = vault.hash('update', JSON.stringify(update))
    await postMessage(who, id, { type: 'update', chatId, update, arrival: { life, at } })
  }

  return {
    post,
    async postEvent({ who, chatId, s }, event) {
      await postMessage(who, randomBytes(12).toString('base64url'), { type: 'event', chatId, s, event })
    },
    async handle(update, arrivedAt) {
      if (!isUnderstood(update)) return log.warn({}, 'update not understood')
      const kind = Object.keys(update).find((key) => key !== 'update_id') ?? 'unknown'
      onUpdate(kind)
      if (update.inline_query) {
        // Nobody waits for it once it is late, so it is kept nowhere.
        await answerInline(update.inline_query).catch((err: unknown) =>
          log.warn({ err }, 'inline query not answered'),
        )
        const trace = traceOf(vault.hash('account', String(update.inline_query.from.id)))
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

/** The private chat of an update: its id is the person's. */
function privateChat(update: Update): number | undefined {
  const { message, edited_message: edited, callback_query: query, my_chat_member: member } = update
  const chat = message?.chat ?? edited?.chat ?? member?.chat
  if (chat) return chat.type === 'private' ? chat.id : undefined
  if (!query) return undefined
  return query.message === undefined || query.message.chat.id === query.from.id ? query.from.id : undefined
}
