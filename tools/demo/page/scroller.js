import { button, fill, h } from './dom.js'
import { icon } from './icons.js'

const nearBottomPx = 60

/**
 * Scrolls a log. It stays at the newest message while the reader is there, and otherwise offers a button back
 * with the number of new messages.
 *
 * @param {HTMLElement} log
 * @param {Pick<import('./chat-context.js').ChatContext, 't' | 'format'>} context
 */
export function createScroller(log, { t, format }) {
  let pinned = true
  let unseen = 0
  /** The scroller's height when its position was last read. */
  let height = 0
  const element = h('div', { class: 'scroller', tabindex: -1, onscroll: readPosition }, log)
  const badge = h('span', { class: 'badge', hidden: true })
  const newest = button(
    { class: 'newest', label: t.newest, hidden: true, onclick: toBottom },
    icon('down'),
    badge,
  )
  const keepPinned = new ResizeObserver(() => {
    if (pinned) toBottom()
  })
  keepPinned.observe(element)
  keepPinned.observe(log)

  function readPosition() {
    const isResized = element.clientHeight !== height
    height = element.clientHeight
    // A keyboard that shrinks the view does not mean that the reader scrolled up.
    if (pinned && isResized) return toBottom()
    pinned = element.scrollHeight - element.scrollTop - element.clientHeight < nearBottomPx
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
    height = element.clientHeight
    element.scrollTop = element.scrollHeight
    drawNewest()
  }

  return {
    element,
    newest,
    toBottom,
    /** Called when the log has grown: by a message of the reader, or by this many new ones. @param {boolean} isOwn @param {number} count */
    grown(isOwn, count) {
      if (!pinned) unseen += count
      if (pinned || isOwn) toBottom()
      else drawNewest()
    },
  }
}
