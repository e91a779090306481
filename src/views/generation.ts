import type { Translate } from '../texts/texts.ts'
import type { View } from './view.ts'

/** One calm message: what is going on, how long it usually takes, and that nobody has to wait. */
export function generatingView(
  t: Translate,
  { expectedMinutes }: { expectedMinutes?: string | undefined },
): View {
  return { text: expectedMinutes ? t('generating-minutes', { minutes: expectedMinutes }) : t('generating') }
}

export function generatedView(t: Translate, { title }: { title: string }): View {
  return { text: t('generated', { title }) }
}

/** Why the analysis failed, in the service's words where they are Persian, and that it can be tried again. */
export function generationFailedView(t: Translate, errors: readonly string[]): View {
  const words = errors.filter((error) => t.language !== 'fa' || /\p{Script=Arabic}/u.test(error)).slice(0, 3)
  return {
    text: [
      t('generation-failed'),
      ...words.map((reason) => t('generation-failed-reason', { reason })),
      t('generation-failed-again'),
    ].join('\n\n'),
  }
}
