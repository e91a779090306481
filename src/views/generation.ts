import type { Translate } from '../texts/texts.ts'
import type { View } from './view.ts'

/** One calm message: what is going on, how long it usually takes, and that nobody has to wait. */
export function generatingView(
  t: Translate,
  { expectedMinutes }: { expectedMinutes?: string | undefined },
): View {
  if (!expectedMinutes) return { text: t('generating') }
  return { text: t('generating-minutes', { minutes: minutesText(t, expectedMinutes) }) }
}

/** The service writes "5-10": said in the digits and words of the language. */
function minutesText(t: Translate, minutes: string): string {
  const [, from, to] = /^\s*(\d+)\s*[-–]\s*(\d+)\s*$/.exec(minutes) ?? []
  return from && to ? t.plain('minutes-between', { from: Number(from), to: Number(to) }) : minutes
}

/** The report is there; who receives it follows from `RESULT_TO`. */
export function generatedView(
  t: Translate,
  { title, resultTo }: { title: string; resultTo: 'participant' | 'organizer' | 'both' },
): View {
  return { text: t(resultTo === 'organizer' ? 'generated-organizer' : 'generated', { title }) }
}
