import { button, fill, h } from './dom.js'
import { icon } from './icons.js'

/** @import { Invitation } from '../api.ts' */

/**
 * The ready invitations, tests and packages apart: a press opens one in the chat, as its link would. One that waits
 * for the organizer can be made ready here.
 *
 * @param {{
 *   t: import('./texts.js').Texts,
 *   format: import('./format.js').Format,
 *   language: import('./texts.js').Language,
 *   follow: (payload: string) => void,
 *   copy: (text: string) => void,
 *   makeReady: (payload: string) => Promise<boolean>,
 * }} parts `makeReady` returns whether it worked, after `update` was called with what is new
 */
export function createInvitationsPanel({ t, format, language, follow, copy, makeReady }) {
  /** Payloads of those that were made ready here. @type {Set<string>} */
  const opened = new Set()
  const groups = h('div', { class: 'invitations' })
  const element = h(
    'section',
    { class: 'panel invitations-panel', 'aria-label': t.invitations },
    h('h2', {}, t.invitations),
    h('p', { class: 'hint' }, t.invitationsHint),
    groups,
  )

  /** Its heading stays in sight and leads to it. @param {string} title @param {Invitation[]} invitations */
  function group(title, invitations) {
    if (invitations.length === 0) return []
    const list = h('ul', { 'aria-label': title }, ...invitations.map(row))
    const lead = () => list.scrollIntoView({ block: 'start', behavior: 'smooth' })
    const count = h('span', { class: 'count' }, format.number(invitations.length))
    return [h('h3', {}, button({ class: 'group-title', onclick: lead }, title, count)), list]
  }

  /** @param {Invitation} invitation */
  function row({ title, kind, kindInEnglish, link, payload, waiting }) {
    const about = language === 'en' ? (kindInEnglish ?? kind) : kind
    return h(
      'li',
      {},
      button(
        { class: 'invitation', 'data-payload': payload, onclick: () => follow(payload) },
        h('span', { class: 'invitation-title', dir: 'auto' }, title),
        h('span', { class: 'invitation-kind', dir: 'auto' }, about),
      ),
      waiting && button({ class: 'chip', title: t.openHint, onclick: () => openOne(payload) }, t.open),
      !waiting && opened.has(payload) && h('span', { class: 'chip done' }, icon('done'), t.isOpen),
      button({ class: 'icon-button', label: t.copyLink, onclick: () => copy(link) }, icon('copy')),
    )
  }

  /** @param {string} payload */
  async function openOne(payload) {
    opened.add(payload)
    if (!(await makeReady(payload))) return void opened.delete(payload)
    focus(`[data-payload="${payload}"]`)
  }

  function focus(which = '.invitation') {
    const invitation = groups.querySelector(which)
    if (invitation instanceof HTMLElement) invitation.focus({ preventScroll: true })
  }

  return {
    element,
    focus: () => focus(),
    /** @param {Invitation[]} invitations */
    update(invitations) {
      const isPackage = (/** @type {Invitation} */ { payload }) => payload.startsWith('roadmap_')
      const drawn = [
        ...group(
          t.tests,
          invitations.filter((each) => !isPackage(each)),
        ),
        ...group(t.packages, invitations.filter(isPackage)),
      ]
      fill(groups, ...(drawn.length > 0 ? drawn : [h('p', { class: 'hint' }, t.noInvitations)]))
    },
  }
}
