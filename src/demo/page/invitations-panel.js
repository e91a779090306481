import { button, fill, h } from './dom.js'
import { icon } from './icons.js'

/** @import { Invitation } from '../api.ts' */

/**
 * The ready invitations: a press opens one in the chat, as its link would.
 *
 * @param {import('./texts.js').Texts} t
 * @param {(payload: string) => void} open
 * @param {(text: string) => void} copy
 */
export function createInvitationsPanel(t, open, copy) {
  const list = h('ul', { class: 'invitations' })
  const element = h(
    'section',
    { class: 'panel invitations-panel', 'aria-label': t.invitations },
    h('h2', {}, t.invitations),
    h('p', { class: 'hint' }, t.invitationsHint),
    list,
  )
  return {
    element,
    /** @param {Invitation[]} invitations */
    update(invitations) {
      const items = invitations.map(({ title, kind, link, payload }) =>
        h(
          'li',
          {},
          button(
            { class: 'invitation', 'data-payload': payload, onclick: () => open(payload) },
            h('span', { class: 'invitation-title', dir: 'auto' }, title),
            h('span', { class: 'invitation-kind', dir: 'auto' }, kind),
          ),
          button({ class: 'icon-button', label: t.copyLink, onclick: () => copy(link) }, icon('copy')),
        ),
      )
      fill(list, ...(items.length > 0 ? items : [h('li', { class: 'hint' }, t.noInvitations)]))
    },
  }
}
