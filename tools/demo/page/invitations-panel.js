import { oneStop } from './arrows.js'
import { button, fill, h } from './dom.js'
import { icon } from './icons.js'
import { createTabs } from './tabs.js'

/** @import { Invitation } from '../api.ts' */

/**
 * The ready invitations, tests and packages separately: a press opens one in the chat, as its link would. An
 * invitation that waits for the organizer can be made ready here.
 *
 * @param {{
 *   t: import('./texts.js').Texts,
 *   format: import('./format.js').Format,
 *   language: import('./texts.js').Language,
 *   follow: (payload: string) => void,
 *   copy: (text: string) => void,
 *   makeReady: (payload: string) => Promise<boolean>,
 * }} parts `makeReady` calls `update` with the new list, then returns whether it worked
 */
export function createInvitationsPanel({ t, format, language, follow, copy, makeReady }) {
  /** Payloads of the invitations that were made ready here. @type {Set<string>} */
  const opened = new Set()
  const tabs = createTabs()
  const groups = h('div', { class: 'invitations' })
  const element = h(
    'section',
    { class: 'panel invitations-panel', 'aria-label': t.invitations },
    h('h2', {}, t.invitations),
    h('p', { class: 'hint' }, t.invitationsHint),
    tabs.bar,
    groups,
  )

  /** @param {string} key @param {string} title @param {Invitation[]} invitations */
  function tab(key, title, invitations) {
    if (invitations.length === 0) return []
    const list = h('div', { role: 'grid', 'aria-label': title }, ...invitations.map(row))
    oneStop(list, '[role="row"]')
    return [{ key, title, count: format.number(invitations.length), list }]
  }

  /** @param {Invitation} invitation */
  function row({ title, kind, kindInEnglish, link, payload, waiting, openedBy }) {
    const what = language === 'en' ? (kindInEnglish ?? kind) : kind
    const about = openedBy === undefined ? what : `${what} · ${t.openedBy(openedBy)}`
    const cells = [
      button(
        { class: 'invitation', 'data-payload': payload, onclick: () => follow(payload) },
        h('span', { class: 'invitation-title', dir: 'auto' }, title),
        h('span', { class: 'invitation-kind', dir: 'auto' }, about),
      ),
      waiting && button({ class: 'chip', title: t.openHint, onclick: () => openOne(payload) }, t.open),
      !waiting && opened.has(payload) && h('span', { class: 'chip done' }, icon('done'), t.isOpen),
      button({ class: 'icon-button', label: t.copyLink, onclick: () => copy(link) }, icon('copy')),
    ]
    const cell = (/** @type {HTMLElement} */ content) => h('div', { role: 'gridcell' }, content)
    return h(
      'div',
      { role: 'row' },
      ...cells.filter((each) => each !== false && each !== undefined).map(cell),
    )
  }

  /** @param {string} payload */
  async function openOne(payload) {
    opened.add(payload)
    if (!(await makeReady(payload))) return void opened.delete(payload)
    focus(`[data-payload="${payload}"]`)
  }

  function focus(which = '.invitation') {
    const invitation = groups.querySelector(`[role="tabpanel"]:not([hidden]) ${which}`)
    if (invitation instanceof HTMLElement) invitation.focus({ preventScroll: true })
  }

  return {
    element,
    focus: () => focus(),
    /** @param {Invitation[]} invitations */
    update(invitations) {
      const isPackage = (/** @type {Invitation} */ { payload }) => payload.startsWith('roadmap_')
      const single = invitations.filter((each) => !isPackage(each))
      tabs.update([
        ...tab('tests', t.tests, single),
        ...tab('packages', t.packages, invitations.filter(isPackage)),
      ])
      fill(groups, invitations.length > 0 ? tabs.panels : h('p', { class: 'hint' }, t.noInvitations))
    },
  }
}
