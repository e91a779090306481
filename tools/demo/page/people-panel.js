import { oneStop } from './arrows.js'
import { button, fill, h } from './dom.js'
import { icon } from './icons.js'

/** @import { Person } from '../api.ts' */

/**
 * The people as the page knows them.
 *
 * @typedef {{
 *   people: Person[],
 *   shown: Set<number>,
 *   active: number | undefined,
 *   isUnread: (id: number) => boolean,
 * }} PeopleState
 */

/**
 * The people whose phones can be shown, and a button to add one; a mark shows who has new messages. `strip`
 * is the same for a narrow screen.
 *
 * @param {import('./texts.js').Texts} t
 * @param {{ choose: (id: number) => void, add: () => void }} actions
 */
export function createPeoplePanel(t, { choose, add }) {
  const list = h('div', { class: 'people', role: 'toolbar', 'aria-label': t.people })
  const element = h('section', { class: 'panel', 'aria-label': t.people }, h('h2', {}, t.people), list)
  const row = h('div', { class: 'switcher-row', role: 'toolbar', 'aria-label': t.people })
  const strip = h('nav', { class: 'switcher', 'aria-label': t.people }, row)
  const places = [list, row].map((place) => ({ place, refresh: oneStop(place) }))

  /** @param {Person} person @param {PeopleState} state */
  function chip({ id, firstName, phone }, { shown, active, isUnread }) {
    return button(
      {
        class: `person-chip ${shown.has(id) ? 'shown' : ''}`,
        'aria-pressed': id === active,
        'data-choose-person': id,
        title: phone,
        onclick: () => choose(id),
      },
      h('span', { class: 'mini-avatar', 'data-tint': id % 6, 'aria-hidden': 'true' }, [...firstName][0]),
      h('bdi', {}, firstName),
      isUnread(id) && h('span', { class: 'unread' }, h('span', { class: 'unseen-text' }, t.unread)),
    )
  }

  /** Keeps the focus on the same person while the chips are redrawn. @param {() => void} draw */
  function keepingFocus(draw) {
    const { activeElement } = document
    const id = activeElement?.getAttribute('data-choose-person')
    const place = places.find((each) => each.place.contains(activeElement))?.place
    draw()
    for (const { refresh } of places) refresh()
    const again = id && place?.querySelector(`[data-choose-person="${id}"]`)
    if (again instanceof HTMLElement) again.focus({ preventScroll: true })
  }

  return {
    element,
    strip,
    /** @param {PeopleState} state */
    update(state) {
      const chips = () => state.people.map((person) => chip(person, state))
      const addButton = button({ class: 'person-chip add', onclick: add }, icon('plus'), t.addPerson)
      strip.hidden = state.people.length < 2
      keepingFocus(() => {
        fill(list, ...chips(), addButton)
        fill(row, ...chips())
      })
    },
  }
}
