import type { CallbackAnswer } from './chat.ts'
import { codePoints } from './clean-text.ts'
import { badRequest } from './refusal.ts'
import type { CallbackState, PersonState } from './state.ts'
import type { UpdateQueue } from './update-queue.ts'
import { findMessage, personUser, privateChat, type World } from './world.ts'

const MAX_ANSWER = 200
/** The life of the update about a tap; the emulator remembers no tap longer. */
const MEMORY_MS = 150_000
const TOO_OLD = 'query is too old and response timeout expired or query ID is invalid'

export type Callbacks = ReturnType<typeof createCallbacks>

type Deps = {
  world: World
  queue: UpdateQueue
  lifeMs: number
  onAnswer: (personId: number, answer: CallbackAnswer) => void
}

/** Taps on inline buttons; each can be answered once during its life. */
export function createCallbacks({ world, queue, lifeMs, onAnswer }: Deps) {
  const { state } = world
  return {
    /** The person taps a button; the message may be deleted by now. Returns the id of the query. */
    tap(person: PersonState, messageId: number, data: string): string {
      const at = world.now()
      const id = `${person.id}${String(++state.counters.callback).padStart(8, '0')}`
      const isForgotten = (callback: CallbackState | undefined) => callback && at - callback.at >= MEMORY_MS
      while (isForgotten(state.callbacks[0])) state.callbacks.shift()
      state.callbacks.push({ id, personId: person.id, messageId, at, answered: false })
      const chat = privateChat(person)
      const message = findMessage(world, person.id, messageId)?.message
      const body = {
        id,
        from: personUser(person),
        message: message ?? { message_id: messageId, chat, date: 0 as const },
        chat_instance: String(person.id * 31),
        data,
      }
      queue.add('callback_query', body, `callback:${person.id}`)
      return id
    },
    /** Refuses a second answer, a late one and one to an unknown query with the same error. */
    answer(id: string, text: string, showAlert: boolean, url: string): void {
      const callback = state.callbacks.findLast((candidate) => candidate.id === id)
      if (!callback || callback.answered || world.now() - callback.at > lifeMs) throw badRequest(TOO_OLD)
      if (codePoints(text) > MAX_ANSWER) throw badRequest('MESSAGE_TOO_LONG')
      callback.answered = true
      const answer: CallbackAnswer = {
        callbackId: id,
        messageId: callback.messageId,
        showAlert,
        ...(text ? { text } : {}),
        ...(url ? { url } : {}),
      }
      onAnswer(callback.personId, answer)
      world.publish(callback.personId, { type: 'answer', data: answer })
      world.changed()
    },
  }
}
