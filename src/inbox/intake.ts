import { randomBytes } from 'node:crypto'
import type { InlineQuery, Update } from 'grammy/types'
import type { AnswerTap } from '../answering/answer-tap.ts'
import type { ContextDeps } from '../dialog/update-context.ts'
import { traceOf } from '../observe/logger.ts'
import { type ChatEvent, type ChatMessage, chatActor } from '../queue/chat-message.ts'
import { accountKey } from '../storage/documents/kinds.ts'
import { sealBody } from '../storage/documents.ts'
import type { Translate } from '../texts/texts.ts'
import { createGroupRefusal } from './group-refusal.ts'
import { isWellFormed, UPDATE_KINDS } from './update-form.ts'

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
      if (!isWellFormed(update)) return log.warn({}, 'update not understood')
      // Never a name that a sender chose.
      const kind = UPDATE_KINDS.find((key) => key in update) ?? 'other'
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

/** The private chat of an update, whose id is the person's. */
function privateChat(update: Update): number | undefined {
  const { message, edited_message: edited, callback_query: query, my_chat_member: member } = update
  const chat = message?.chat ?? edited?.chat ?? member?.chat
  if (chat) return chat.type === 'private' ? chat.id : undefined
  if (!query) return undefined
  return query.message === undefined || query.message.chat.id === query.from.id ? query.from.id : undefined
}
