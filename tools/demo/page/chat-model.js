import { applyEvent, chatEventTypes } from './chat-state.js'
import { openStream } from './stream.js'

/** @import { CallbackAnswer, ChatEvents, ChatState, Person } from '../api.ts' */

/**
 * The state of a chat from the server's events, updated while its phone is shown.
 *
 * @param {import('./api.js').ChatApi} chat
 * @param {{
 *   answered: (answer: CallbackAnswer) => void,
 *   keyboardChanged: (messageId: number) => void,
 *   personChanged: (person: Person) => void,
 *   changed: () => void,
 *   wantsReply: () => void,
 *   connected: () => void,
 * }} listeners
 */
export function createChatModel(chat, listeners) {
  /** @type {ChatState | undefined} */
  let state
  let connected = false
  /** @type {import('./stream.js').Stream | undefined} */
  let stream
  let wantedReplyTo = 0

  /** @param {string} type @param {any} data */
  function onEvent(type, data) {
    if (type === 'answer') return listeners.answered(data)
    if (type === 'edited') {
      const old = state?.messages.find(({ id }) => id === data.id)
      if (JSON.stringify(old?.inlineKeyboard) !== JSON.stringify(data.inlineKeyboard))
        listeners.keyboardChanged(data.id)
    }
    state = applyEvent(state, /** @type {keyof ChatEvents} */ (type), data)
    if (state && (type === 'person' || type === 'chat')) listeners.personChanged(state.person)
    listeners.changed()
    const { forceReply } = state ?? {}
    if (forceReply && forceReply.messageId !== wantedReplyTo) {
      wantedReplyTo = forceReply.messageId
      listeners.wantsReply()
    }
  }

  return {
    state: () => state,
    isConnected: () => connected,
    /** Connects while the phone is shown: a browser keeps only six connections to one server. */
    resume() {
      stream ??= openStream(chat.eventsUrl, chatEventTypes, onEvent, (now) => {
        connected = now
        listeners.connected()
      })
    },
    suspend() {
      stream?.close()
      stream = undefined
    },
  }
}
