import type { ResultTo } from '../domain/invitation.ts'
import type { Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { button, type View } from './view.ts'

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

/** The report is there, on its way or delivered; who receives it follows from `RESULT_TO`. */
export function generatedView(
  t: Translate,
  { s, title, resultTo, isDelivered }: { s: string; title: string; resultTo: ResultTo; isDelivered: boolean },
): View {
  const isOrganizers = resultTo === 'organizer'
  if (!isDelivered) return { text: t(isOrganizers ? 'generated-organizer' : 'generated', { title }) }
  if (isOrganizers) return { text: t('report-there-organizer', { title }) }
  return {
    text: t('report-there', { title }),
    keyboard: [[button(t.plain('button-result'), buttons.result.data(s))]],
  }
}
