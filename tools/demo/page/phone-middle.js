import { h } from './dom.js'
import { createIntro } from './intro.js'
import { openLightbox } from './lightbox.js'
import { createMessageList } from './message-list.js'
import { createReceived } from './received.js'

/** @import { ChatMessage, ChatState, Person } from '../api.ts' */

/**
 * The part between a phone's header and its input: the messages, the bot's description before them, and
 * messages from other people.
 *
 * @param {Person} owner
 * @param {{
 *   context: import('./phone-context.js').PhoneContext,
 *   chat: import('./api.js').ChatApi,
 *   state: () => ChatState | undefined,
 *   toasts: HTMLElement,
 *   actions: ReturnType<typeof import('./chat-actions.js').createChatActions>,
 *   taps: import('./taps.js').Taps,
 *   links: ReturnType<typeof import('./chat-links.js').createChatLinks>,
 *   say: (text: string) => void,
 *   copy: (text: string) => void,
 *   menu: (message: ChatMessage, event: MouseEvent) => void,
 * }} parts
 */
export function createPhoneMiddle(owner, parts) {
  const { context, chat, state, toasts, actions, taps, links, say, copy, menu } = parts
  const { t, format, goHome } = context
  /** @type {import('./chat-context.js').ChatContext} */
  const chatContext = {
    t,
    format,
    fileUrl: chat.fileUrl,
    say,
    copy,
    follow: links.follow,
    tap: taps.tap,
    spins: taps.spins,
    open: (url) => links.open(url),
    zoom: (source, isProtected) => openLightbox(source, isProtected, t),
    senderOf: ({ from }) => (from === 'person' ? t.you : (state()?.bot.name ?? t.bot)),
    find: (id) => state()?.messages.find((message) => message.id === id),
    show: (id) => list.show(id),
    menu,
  }
  const list = createMessageList(chatContext, t.chatWith(owner.firstName))
  const dismiss = (/** @type {number} */ id) => actions.attempt(chat.dismiss(id))
  const received = createReceived(chatContext, { isOfBot: links.isOfBot, dismiss })
  const intro = createIntro(t, goHome)
  const element = h('div', { class: 'middle' }, list.element, intro.element, received.element, toasts)

  return {
    element,
    redrawKeyboard: list.redrawKeyboard,
    /** @param {string | undefined} payload */
    update(payload) {
      const now = state()
      list.update(now?.messages ?? [])
      intro.update(now, payload)
      received.update(now?.received ?? [])
    },
  }
}
