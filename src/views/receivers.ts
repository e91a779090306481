import type { Translate } from '../texts/texts.ts'

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
