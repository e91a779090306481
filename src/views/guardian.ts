import type { ResultTo } from '../domain/invitation.ts'
import type { Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { button, copyButton, inReadingOrder, paragraphs, shareButton, type View } from './view.ts'

/** The message that a minor hands on, with the ways to send it. */
export function guardianLinkView(t: Translate, asked: { title: string; link: string }): View {
  const { title, link } = asked
  const ways = [shareButton(t, link, t.plain('guardian-link-share', { title })), copyButton(t, link)]
  return { text: t('guardian-link', asked), keyboard: [inReadingOrder(ways, t.language)] }
}

type Asked = {
  code: string
  title: string
  /** Of a roadmap. */
  role: string | undefined
  organizer: string
  resultTo: ResultTo
  isRoadmap: boolean
  days: number
}

/** Asks a parent or guardian on their own phone: for what, who invites, what is kept, who sees the result. */
export function guardianAskedView(t: Translate, asked: Asked): View {
  const { code, title, role, organizer, resultTo, isRoadmap, days } = asked
  return {
    text: paragraphs(
      t('guardian-ask-parent', { title, organizer }),
      role !== undefined && t('guardian-ask-parent-role', { role }),
      t(`guardian-ask-parent-result-${resultTo}`, { organizer }),
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
