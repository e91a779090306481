import { button, fill, h } from './dom.js'

/**
 * The bar that stands in the input's place: START before the chat has begun or when a deep link was followed,
 * UNBLOCK while the bot is blocked.
 *
 * @param {import('./texts.js').Texts} t
 * @param {(payload: string | undefined) => void} start
 * @param {() => void} unblock
 */
export function createBottomBar(t, start, unblock) {
  const element = h('div', { class: 'bottom-bar', hidden: true })
  return {
    element,
    /** @param {import('../api.ts').Person | undefined} person @param {string | undefined} payload of a followed link */
    update(person, payload) {
      const starts = person !== undefined && (!person.started || payload !== undefined)
      element.hidden = !starts && !person?.blocked
      if (starts) fill(element, button({ class: 'bar-button start', onclick: () => start(payload) }, t.start))
      else if (person?.blocked)
        fill(element, button({ class: 'bar-button unblock', onclick: unblock }, t.unblock))
      return element.hidden
    },
  }
}
