import { button, fill, h } from './dom.js'
import { icon } from './icons.js'
import { inlineKeyboard } from './inline-keyboard.js'
import { mediaOf } from './media.js'
import { richText } from './rich-text.js'

/** @import { ChatMessage, ReceivedMessage } from '../api.ts' */
/** @import { ChatContext } from './chat-context.js' */

/**
 * Messages from other people, as notifications over the chat; the bot gets no update about them. Each stays
 * until it is dismissed or one of its links to the bot is followed.
 *
 * @param {ChatContext} context
 * @param {{ isOfBot: (url: string) => boolean, dismiss: (id: number) => void }} parts
 */
export function createReceived(context, { isOfBot, dismiss }) {
  const { t, format } = context
  const element = h('div', {
    class: 'received',
    role: 'log',
    'aria-live': 'polite',
    'aria-label': t.received,
  })
  element.hidden = true

  /** @param {ReceivedMessage} received */
  function card({ sender, origin, ...content }) {
    /** @type {ChatMessage} */
    const message = { ...content, from: 'person' }
    const text = message.text ?? message.caption
    const entities = message.text === undefined ? message.captionEntities : message.entities
    const done = (/** @type {string} */ url) => isOfBot(url) && dismiss(message.id)
    /** @type {ChatContext} */
    const inside = {
      ...context,
      spins: () => false,
      open(url) {
        context.open(url)
        done(url)
      },
      follow(url, shown) {
        const isFollowed = context.follow(url, shown)
        done(url)
        return isFollowed
      },
    }
    return h(
      'article',
      {
        class: 'received-card',
        'data-received': message.id,
        'aria-label': t.sentBy(sender, format.time(message.date)),
      },
      h(
        'div',
        { class: 'received-head' },
        h('span', { class: 'mini-avatar', 'aria-hidden': 'true' }, [...sender][0]),
        h('b', {}, h('bdi', {}, sender)),
        h('time', { datetime: new Date(message.date).toISOString() }, format.time(message.date)),
        button({ class: 'icon-button', label: t.close, onclick: () => dismiss(message.id) }, icon('close')),
      ),
      h(
        'div',
        { class: 'received-body' },
        origin !== undefined && h('p', { class: 'origin', dir: 'auto' }, t.forwardedFrom(origin)),
        mediaOf(message, inside),
        text !== undefined && richText(text, entities, inside),
      ),
      message.inlineKeyboard && inlineKeyboard(message, inside),
    )
  }

  /** Drawn cards are kept, so that opened quotes stay open. @type {Map<number, HTMLElement>} */
  let cards = new Map()
  return {
    element,
    /** @param {ReceivedMessage[]} all oldest first */
    update(all) {
      if (all.length === cards.size && all.every(({ id }) => cards.has(id))) return
      cards = new Map(all.map((received) => [received.id, cards.get(received.id) ?? card(received)]))
      element.hidden = all.length === 0
      fill(element, ...[...cards.values()].reverse())
    },
  }
}
