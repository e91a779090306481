import { button, fill, h } from './dom.js'
import { icon } from './icons.js'
import { summaryOf } from './media.js'
import { createMessageView } from './message-view.js'

/** @import { ChatMessage } from '../api.ts' */
/** @import { ChatContext } from './chat-context.js' */
/** @import { MessageView } from './message-view.js' */

const nearBottomPx = 60
const vanishMs = 220

/**
 * The scrolling list of messages. It stays at the newest message while the reader is there, and otherwise offers a
 * way back with the number of messages that came meanwhile.
 *
 * @param {ChatContext} context
 * @param {string} label
 */
export function createMessageList(context, label) {
  const { t, format } = context
  /** @type {Map<number, MessageView>} */
  const views = new Map()
  /** @type {Map<string, HTMLElement>} */
  const albums = new Map()
  let pinned = true
  let unseen = 0
  let drawn = false
  /** The scroller's height when its position was last read. */
  let height = 0

  const log = h('div', { class: 'log', role: 'log', 'aria-live': 'polite', 'aria-label': label })
  const scroller = h('div', { class: 'scroller', tabindex: -1, onscroll: readPosition }, log)
  // an edit is no addition, so a screen reader hears it from here
  const announcer = h('div', { class: 'unseen-text', 'aria-live': 'polite' })
  const badge = h('span', { class: 'badge', hidden: true })
  const newest = button(
    { class: 'newest', label: t.newest, hidden: true, onclick: toBottom },
    icon('down'),
    badge,
  )
  const element = h('div', { class: 'messages' }, scroller, announcer, newest)

  function readPosition() {
    const isResized = scroller.clientHeight !== height
    height = scroller.clientHeight
    // a keyboard that takes room below is no wish to read back
    if (pinned && isResized) return toBottom()
    pinned = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < nearBottomPx
    if (pinned) unseen = 0
    drawNewest()
  }

  function drawNewest() {
    newest.hidden = pinned
    badge.hidden = unseen === 0
    fill(badge, format.number(unseen))
  }

  function toBottom() {
    pinned = true
    unseen = 0
    height = scroller.clientHeight
    scroller.scrollTop = scroller.scrollHeight
    drawNewest()
  }

  const keepPinned = new ResizeObserver(() => {
    if (pinned) toBottom()
  })
  keepPinned.observe(scroller)
  keepPinned.observe(log)

  /** @param {ChatMessage[]} messages */
  function update(messages) {
    let ownIsNew = false
    const dates = new Map(messages.map(({ id, date }) => [id, date]))
    for (const [id, view] of views) {
      // a server that began anew numbers its messages from one again
      if (dates.get(id) === view.message.date) continue
      views.delete(id)
      vanish(view.element)
    }
    for (const [id, box] of albums) {
      if (messages.some(({ albumId }) => albumId === id)) continue
      albums.delete(id)
      box.remove()
    }
    for (const message of messages) {
      const view = views.get(message.id)
      if (view) {
        if (view.message !== message && view.update(message).text && message.from === 'bot') {
          announcer.textContent = summaryOf(message, t)
        }
        continue
      }
      const added = createMessageView(message, context)
      views.set(message.id, added)
      if (drawn) added.element.classList.add('appears')
      if (message.from === 'person') ownIsNew = true
      else if (drawn && !pinned) unseen += 1
    }
    arrange(messages)
    drawn = true
    if (pinned || ownIsNew) toBottom()
    else drawNewest()
  }

  /** Puts views and day headings in order, moving only what is out of place. @param {ChatMessage[]} messages */
  function arrange(messages) {
    for (const heading of log.querySelectorAll('.day')) heading.remove()
    let day = ''
    /** @type {Element | null} */
    let at = log.firstElementChild
    /** @type {Element | null} */
    let before = null
    for (const { id, date, albumId } of messages) {
      while (at?.classList.contains('vanishes')) at = at.nextElementSibling
      const { element } = /** @type {MessageView} */ (views.get(id))
      const node = albumId === undefined ? element : albumOf(albumId, element)
      // the other pictures of an album that has its place
      if (node === before) continue
      before = node
      if (format.dayKey(date) !== day) {
        day = format.dayKey(date)
        log.insertBefore(h('div', { class: 'day' }, h('span', {}, format.day(date))), at)
      }
      if (node === at) at = at.nextElementSibling
      else log.insertBefore(node, at)
    }
  }

  /** The box of an album, with this picture in it. @param {string} id @param {HTMLElement} picture */
  function albumOf(id, picture) {
    const box = albums.get(id) ?? h('div', { class: 'album' })
    albums.set(id, box)
    if (picture.parentElement !== box) box.append(picture)
    return box
  }

  return {
    element,
    update,
    /** @param {number} id */
    redrawKeyboard: (id) => views.get(id)?.drawKeyboard(),
    /** @param {number} id */
    show(id) {
      const view = views.get(id)
      view?.element.scrollIntoView({ block: 'center', behavior: 'smooth' })
      view?.element.classList.remove('found')
      requestAnimationFrame(() => view?.element.classList.add('found'))
    },
    toBottom,
  }
}

/** A deleted message folds away instead of leaving at once. @param {HTMLElement} element */
function vanish(element) {
  element.inert = true
  element.removeAttribute('data-message-id')
  element.style.height = `${element.offsetHeight}px`
  element.classList.add('vanishes')
  setTimeout(() => element.remove(), vanishMs)
}
