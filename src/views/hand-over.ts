import type { ResultTo } from '../domain/invitation.ts'
import type { Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { sharedText } from './introduction.ts'
import { button, copyButton, inReadingOrder, lines, paragraphs, shareButton, type View } from './view.ts'

type HandOver = {
  s: string
  /** The person with the role … */
  role: string
  /** … and what they are called. */
  name: string
  test: string
  /** A minor agrees here to who sees the result. */
  consent?: { organizer: string; resultTo: ResultTo } | undefined
}

/** Stands between two persons on one phone. */
export function handOverView(t: Translate, { s, role, name, test, consent }: HandOver): View {
  const text = t('curtain', { role, test })
  const ready = buttons.ready.data(s)
  if (!consent)
    return { text, keyboard: [[button(t.plain('button-curtain', { role: name }), ready, 'primary')]] }
  const { organizer, resultTo } = consent
  const receivers = [t(`roadmap-result-${resultTo}`, { organizer }), sharedText(t, resultTo) || '']
  return {
    text: paragraphs(text, lines(t('curtain-before', { role: name }), receivers), t('curtain-agree')),
    keyboard: [
      [button(t.plain('button-curtain-agree', { role: name }), ready, 'primary')],
      [button(t.plain('button-curtain-decline'), buttons.decline.data(s))],
    ],
  }
}

type Declined = { board: string; test: string; contact: string }

/** Nobody has agreed, so nothing is begun: who helps, and the way back. */
export const declinedView = (t: Translate, { board, test, contact }: Declined): View => ({
  text: t('curtain-declined', { test, contact }),
  keyboard: [[button(t.plain('button-board'), buttons.open.data(board))]],
})

type RoleInvitation = { role: string; title: string; link: string }

/** The message to forward: which tests, for whom, and the link, with the ways to send it. */
export function roleInvitationView(t: Translate, invitation: RoleInvitation): View {
  const { role, title, link } = invitation
  const ways = [shareButton(t, link, t.plain('hand-share', { role, title })), copyButton(t, link)]
  return { text: t('hand-invitation', invitation), keyboard: [inReadingOrder(ways, t.language)] }
}
