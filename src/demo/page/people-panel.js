import { button, fill, h } from './dom.js'
import { icon } from './icons.js'

/** @import { Person } from '../api.ts' */

/**
 * The people whose phones can be looked at, and a way to add one. `strip` is the same for a narrow screen.
 *
 * @param {import('./texts.js').Texts} t
 * @param {{ choose: (id: number) => void, add: () => void }} actions
 */
export function createPeoplePanel(t, { choose, add }) {
  const list = h('div', { class: 'people' })
  const element = h('section', { class: 'panel', 'aria-label': t.people }, h('h2', {}, t.people), list)
  const strip = h('nav', { class: 'switcher', 'aria-label': t.people })

  /** @param {Person} person @param {Set<number>} shown @param {number | undefined} active */
  function chip({ id, firstName, phone }, shown, active) {
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
    )
  }

  return {
    element,
    strip,
    /** @param {Person[]} people @param {Set<number>} shown @param {number | undefined} active */
    update(people, shown, active) {
      const addButton = () => button({ class: 'person-chip add', onclick: add }, icon('plus'), t.addPerson)
      fill(list, ...people.map((person) => chip(person, shown, active)), addButton())
      strip.hidden = people.length < 2
      fill(strip, ...people.map((person) => chip(person, shown, active)))
    },
  }
}
