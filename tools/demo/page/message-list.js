import { oneStop } from './arrows.js'
import { h } from './dom.js'
import { summaryOf } from './media.js'
import { createMessageView } from './message-view.js'
import { createScroller } from './scroller.js'

/** @import { ChatMessage } from '../api.ts' */
/** @import { ChatContext } from './chat-context.js' */
/** @import { MessageView } from './message-view.js' */

/** @typedef {Map<number, MessageView>} Views */

const vanishMs = 220

/**
 * The scrolling list of messages.
 *
 * @param {ChatContext} context
 * @param {string} label
 */
export function createMessageList(context, label) {
  const { t, format } = context
  /** @type {Views} */
  const views = new Map()
  let drawn = false
  const log = h('div', { class: 'log', role: 'log', 'aria-live': 'polite', 'aria-label': label })
  const scroller = createScroller(log, context)
  // All messages together are one stop of the Tab key, at the newest button.
  const refresh = oneStop(log)
  let isPressed = false
  log.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('.inline-button')) isPressed = true
  })
  // An edit is not an addition to the log, so the announcer reads it to screen readers.
  const announcer = h('div', { class: 'unseen-text', 'aria-live': 'polite' })
  const element = h('div', { class: 'messages' }, scroller.element, announcer, scroller.newest)

  /** @param {ChatMessage} message */
  function add(message) {
    const added = createMessageView(message, context)
    views.set(message.id, added)
    if (drawn) added.element.classList.add('appears')
  }

  /** @param {ChatMessage[]} messages */
  function update(messages) {
    removeGone(views, messages)
    const fresh = messages.filter(({ id }) => !views.has(id))
    for (const message of messages) {
      const view = views.get(message.id)
      if (!view) add(message)
      else if (view.message !== message && view.update(message).text && message.from === 'bot')
        announcer.textContent = summaryOf(message, t)
    }
    arrange(log, views, messages, format)
    markRunEnds(views)
    const fromBot = fresh.filter(({ from }) => from !== 'person').length
    scroller.grown(fromBot < fresh.length, drawn ? fromBot : 0)
    drawn = true
    const newest = newestButton(log)
    if (fresh.length === 0) return refresh(log.contains(document.activeElement) ? null : newest)
    refresh(newest)
    // After a press the focus moves to the new message, unless it has moved elsewhere.
    const { activeElement } = document
    const isHere = activeElement === document.body || log.contains(activeElement)
    if (isPressed && isHere && fromBot > 0) newest?.focus({ preventScroll: true })
    if (fromBot > 0) isPressed = false
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
    toBottom: scroller.toBottom,
  }
}

/** The first enabled button of the newest message that has one. @param {ParentNode} place */
export function newestButton(place) {
  const keyboards = [...place.querySelectorAll('.inline-keyboard:has(.inline-button:not(:disabled))')]
  const found = keyboards.at(-1)?.querySelector('.inline-button:not(:disabled)')
  return found instanceof HTMLElement ? found : null
}

/** @param {Views} views @param {ChatMessage[]} messages */
function removeGone(views, messages) {
  const dates = new Map(messages.map(({ id, date }) => [id, date]))
  for (const [id, view] of views) {
    // A restarted server numbers its messages from one again.
    if (dates.get(id) === view.message.date) continue
    views.delete(id)
    vanish(view.element)
  }
}

/**
 * Puts views and day headings in order, and moves only those out of place.
 *
 * @param {HTMLElement} log
 * @param {Views} views
 * @param {ChatMessage[]} messages
 * @param {ChatContext['format']} format
 */
function arrange(log, views, messages, format) {
  for (const heading of log.querySelectorAll('.day')) heading.remove()
  let day = ''
  /** @type {Element | null} */
  let at = log.firstElementChild
  /** @type {Element | null} */
  let before = null
  for (const { id, date, albumId } of messages) {
    while (at?.classList.contains('vanishes')) at = at.nextElementSibling
    const { element } = /** @type {MessageView} */ (views.get(id))
    const node = albumId === undefined ? element : albumOf(log, albumId, element)
    // Another picture of an album that is in its place already.
    if (node === before) continue
    before = node
    if (format.dayKey(date) !== day) {
      day = format.dayKey(date)
      log.insertBefore(h('div', { class: 'day' }, h('span', {}, format.day(date))), at)
    }
    if (node === at) at = at.nextElementSibling
    else log.insertBefore(node, at)
  }
  for (const album of log.querySelectorAll('.album:not(:has([data-message-id]))')) album.remove()
}

/** Marks the last bubble of a run, which has the tail. A class is faster than a sibling selector. @param {Views} views */
function markRunEnds(views) {
  for (const { element, message } of views.values()) {
    let next = element.nextElementSibling
    while (next?.classList.contains('vanishes')) next = next.nextElementSibling
    element.classList.toggle('ends-run', !next?.classList.contains(message.from))
  }
}

/** The box of an album; adds this picture to it. @param {HTMLElement} log @param {string} id @param {HTMLElement} picture */
function albumOf(log, id, picture) {
  const box = log.querySelector(`[data-album="${id}"]`) ?? h('div', { class: 'album', 'data-album': id })
  if (picture.parentElement !== box) box.append(picture)
  return box
}

/** Folds a deleted message away before it is removed. @param {HTMLElement} element */
function vanish(element) {
  element.inert = true
  element.removeAttribute('data-message-id')
  element.style.height = `${element.offsetHeight}px`
  element.classList.add('vanishes')
  setTimeout(() => element.remove(), vanishMs)
}
