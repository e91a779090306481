import type { Translate } from '../texts/texts.ts'
import { consentView, type IntroductionTerms, receiversText } from './introduction.ts'
import { copyButton, shareButton } from './share.ts'
import { inReadingOrder, type View } from './view.ts'

/** The message to forward: which tests, for whom, and the link, with the ways to send it. */
export function roleInvitationView(
  t: Translate,
  invitation: { role: string; title: string; link: string },
): View {
  const { role, title, link } = invitation
  const ways = [shareButton(t, link, t.plain('hand-share', { role, title })), copyButton(t, link)]
  return { text: t('hand-invitation', invitation), keyboard: [inReadingOrder(ways, t.language)] }
}

type RoleIntroduction = IntroductionTerms & {
  s: string
  title: string
  role: string
  tests: readonly string[]
}

/** What an invited person reads before the first test; beginning is the consent. */
export function roleIntroductionView(t: Translate, introduction: RoleIntroduction): View {
  const { s, title, role, tests, organizerName: organizer, resultTo } = introduction
  const head = [
    t('intro-greeting-roadmap', { organizer }),
    t('intro-title', { title }),
    `${t('hand-intro', { role })}\n${tests.map((test) => t('hand-intro-test', { title: test })).join('\n')}`,
  ]
  const receivers = receiversText(t, { organizer, resultTo, isSeveral: true })
  return consentView(t, s, introduction, { head, receivers, more: [t('roadmap-analysis')] })
}
