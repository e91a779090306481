import { fill, h } from './dom.js'

/** @import { Person } from '../api.ts' */

/**
 * The frame around a phone's screen, with the owner's name above.
 *
 * @param {Person} owner
 * @param {import('./texts.js').Texts} t
 */
export function createPhoneFrame(owner, t) {
  const screen = h('div', { class: 'screen' })
  const caption = h('h2', { class: 'caption' })
  const label = t.phoneOf(owner.firstName)
  const element = h(
    'section',
    { class: 'phone', 'data-person': owner.id, 'aria-label': label },
    caption,
    screen,
  )
  return {
    element,
    screen,
    /** @param {Person} person */
    update({ firstName, phone }) {
      fill(caption, h('bdi', {}, firstName), ' ', h('bdi', { class: 'caption-phone', dir: 'ltr' }, phone))
    },
  }
}
