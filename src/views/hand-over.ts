import type { ResultTo } from '../domain/invitation.ts'
import type { Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { sharedText } from './introduction.ts'
import { button, copyButton, inReadingOrder, lines, paragraphs, shareButton, type View } from './view.ts'

type HandOver = {
  s: string
  /** The label of the role's person. */
  role: string
  /** The short name of that person. */
  name: string
  test: string
  /** A minor has to agree to these receivers of the result. */
  consent?: ResultTo | undefined
}

/** The message between two people on one phone. */
export function handOverView(t: Translate, { s, role, name, test, consent }: HandOver): View {
  const text = t('hand-over', { role, test })
  const label = t.plain(consent ? 'button-hand-over-agree' : 'button-hand-over', { role: name })
  const ready = [button(label, buttons.ready.data(s), 'primary')]
  if (!consent) return { text, keyboard: [ready] }
  const receivers = [t(`roadmap-result-${consent}`), sharedText(t, consent) || '']
  return {
    text: paragraphs(text, lines(t('hand-over-before', { role: name }), receivers), t('hand-over-agree')),
    keyboard: [ready, [button(t.plain('button-hand-over-decline'), buttons.decline.data(s))]],
  }
}

type Declined = { board: string; test: string }

/** The minor has not agreed, so nothing begins: who can help, and the way back. */
export const declinedView = (t: Translate, { board, test }: Declined): View => ({
  text: t('hand-over-declined', { test }),
  keyboard: [[button(t.plain('button-board'), buttons.open.data(board))]],
})

type RoleInvitation = { role: string; title: string; link: string }

/** The message to forward: which tests, for whom, and the link, with buttons to send it. */
export const roleInvitationView = (t: Translate, invitation: RoleInvitation): View =>
  toSendOn(t, t('hand-invitation', invitation), invitation.link, t.plain('hand-share', invitation))

type GuardianLink = { title: string; role: string | undefined; link: string }

/** The message that a minor forwards to a guardian, with buttons to send it. It names the role, if any. */
export function guardianLinkView(t: Translate, { role, ...asked }: GuardianLink): View {
  const whose = role !== undefined && t('guardian-ask-parent-role', { role })
  const text = paragraphs(t('guardian-link', asked), whose)
  return toSendOn(t, text, asked.link, t.plain('guardian-link-share', asked))
}

function toSendOn(t: Translate, text: string, link: string, beside: string): View {
  const ways = [shareButton(t, link, beside), copyButton(t, link)]
  return { text, keyboard: [inReadingOrder(ways, t.language)] }
}

type Asked = {
  code: string
  title: string
  /** In a roadmap only. */
  role: string | undefined
  resultTo: ResultTo
  isRoadmap: boolean
  days: number
}

/** Asks a guardian on their own phone: for what, who invites, what is stored, who sees the result. */
export function guardianAskedView(t: Translate, asked: Asked): View {
  const { code, title, role, resultTo, isRoadmap, days } = asked
  return {
    text: paragraphs(
      t('guardian-ask-parent', { title }),
      role !== undefined && t('guardian-ask-parent-role', { role }),
      t(`guardian-ask-parent-result-${resultTo}`),
      isRoadmap && resultTo !== 'organizer' && t('guardian-ask-parent-shared'),
      t('guardian-ask-parent-kept', { days }),
      t('guardian-ask-parent-end'),
    ),
    keyboard: [
      [button(t.plain('button-guardian-agree'), buttons.agree.data(code, 'yes'), 'success')],
      [button(t.plain('button-guardian-decline'), buttons.agree.data(code, 'no'))],
    ],
  }
}
