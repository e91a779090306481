import type { Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { button, type View } from './view.ts'

/** The message to forward: which tests, for whom, and the link. */
export function handInvitationView(
  t: Translate,
  invitation: { role: string; title: string; link: string },
): View {
  return { text: t('hand-invitation', invitation) }
}

type HandIntroduction = {
  s: string
  title: string
  role: string
  tests: readonly string[]
  organizerName: string
  resultTo: 'participant' | 'organizer' | 'both'
  retentionDays: number
}

/** What an invited person reads before the first test; beginning is the consent. */
export function handIntroductionView(t: Translate, introduction: HandIntroduction): View {
  const { s, title, role, tests, organizerName: organizer, resultTo, retentionDays } = introduction
  return {
    text: [
      t('intro-title', { title }),
      t('hand-intro', { role, organizer }),
      tests.map((test) => t('hand-intro-test', { title: test })).join('\n'),
      receiversText(t, { organizer, resultTo, isSeveral: true }),
      t('roadmap-analysis'),
      t('intro-privacy', { days: Math.ceil(retentionDays) }),
      t('intro-consent'),
    ].join('\n\n'),
    keyboard: [[button(t.plain('button-begin'), buttons.begin.data(s), 'success')]],
  }
}

const receivers = {
  participant: 'roadmap-result-participant',
  organizer: 'roadmap-result-organizer',
  both: 'roadmap-result-both',
} as const

/** Who receives the combined report, and whose results they see in it: consent names both. */
export function receiversText(
  t: Translate,
  {
    organizer,
    resultTo,
    isSeveral,
  }: { organizer: string; resultTo: keyof typeof receivers; isSeveral: boolean },
): string {
  const text = t(receivers[resultTo], { organizer })
  return isSeveral && resultTo !== 'organizer' ? `${text} ${t('roadmap-result-shared')}` : text
}
