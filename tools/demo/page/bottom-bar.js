import { button, h } from './dom.js'

/**
 * The bar in place of the input: START before the chat has begun or after a deep link, UNBLOCK while the bot
 * is blocked.
 *
 * @param {import('./texts.js').Texts} t
 * @param {(payload: string | undefined) => void} start
 * @param {() => void} unblock
 */
export function createBottomBar(t, start, unblock) {
  /** @type {string | undefined} */
  let waiting
  const starts = button({ class: 'bar-button start', onclick: () => start(waiting) }, t.start)
  const unblocks = button({ class: 'bar-button unblock', onclick: unblock }, t.unblock)
  const element = h('div', { class: 'bottom-bar', hidden: true }, starts, unblocks)
  return {
    element,
    focus: () => (starts.hidden ? unblocks : starts).focus({ preventScroll: true }),
    /** @param {import('../api.ts').Person | undefined} person @param {string | undefined} payload of a followed link */
    update(person, payload) {
      waiting = payload
      starts.hidden = person === undefined || (person.started && payload === undefined)
      unblocks.hidden = !starts.hidden || !person?.blocked
      element.hidden = starts.hidden && unblocks.hidden
      return element.hidden
    },
  }
}
