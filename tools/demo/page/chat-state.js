/** @import { ChatEvents, ChatMessage, ChatState } from '../api.ts' */

/** @type {readonly (keyof ChatEvents)[]} */
export const chatEventTypes = [
  'chat',
  'message',
  'edited',
  'deleted',
  'keyboard',
  'answer',
  'typing',
  'received',
  'commands',
  'person',
  'bot',
]

/**
 * The chat after one more event. Unchanged messages stay the same objects, so that a view can tell by
 * identity what to redraw.
 *
 * @template {keyof ChatEvents} K
 * @param {ChatState | undefined} state
 * @param {K} type
 * @param {ChatEvents[K]} data
 * @returns {ChatState | undefined}
 */
export function applyEvent(state, type, data) {
  const event = /** @type {import('../api.ts').ChatEvent} */ ({ type, data })
  if (event.type === 'chat') return keepUnchanged(state, event.data)
  if (!state) return undefined
  switch (event.type) {
    case 'message':
    case 'edited':
      return { ...state, messages: withMessage(state.messages, event.data) }
    case 'deleted':
      return { ...state, messages: state.messages.filter(({ id }) => !event.data.messageIds.includes(id)) }
    case 'keyboard': {
      const { replyKeyboard: _, forceReply: __, ...rest } = state
      return { ...rest, ...event.data }
    }
    case 'typing': {
      const { typing: _, ...rest } = state
      return event.data.until === 0
        ? rest
        : { ...rest, typing: /** @type {import('../api.ts').Typing} */ (event.data) }
    }
    case 'received':
      return { ...state, received: event.data }
    case 'commands':
      return { ...state, commands: event.data }
    case 'person':
      return { ...state, person: event.data }
    case 'bot':
      return { ...state, bot: event.data }
    default:
      return state
  }
}

/** @param {ChatMessage[]} messages @param {ChatMessage} message */
function withMessage(messages, message) {
  const index = messages.findIndex(({ id }) => id === message.id)
  if (index >= 0) return messages.with(index, message)
  // Ids grow within a chat, so an event that overtook another one still finds its place.
  const after = messages.findLastIndex(({ id }) => id < message.id)
  return messages.toSpliced(after + 1, 0, message)
}

/** @param {ChatState | undefined} old @param {ChatState} fresh @returns {ChatState} */
function keepUnchanged(old, fresh) {
  const known = new Map(old?.messages.map((message) => [message.id, message]))
  const messages = fresh.messages.map((message) => {
    const before = known.get(message.id)
    return before && JSON.stringify(before) === JSON.stringify(message) ? before : message
  })
  return { ...fresh, messages }
}
