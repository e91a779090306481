import type { ResultTo } from '../domain/invitation.ts'
import { clean } from '../domain/persian/clean.ts'
import { toAsciiDigits } from '../domain/persian/digits.ts'
import type { Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { button, type View } from './view.ts'

/** One calm message: what is going on, how long it usually takes, and that nobody has to wait. */
export function generatingView(
  t: Translate,
  { expectedMinutes }: { expectedMinutes?: string | undefined },
): View {
  const [from, to] = readMinutes(expectedMinutes)
  if (from === undefined) return { text: t('generating') }
  const minutes = to === undefined ? from : t.plain('minutes-between', { from, to })
  return { text: t('generating-minutes', { minutes }) }
}

/** A number of minutes or a range of them, as a service may write it (spec, generate: "a range of minutes"). */
const MINUTES = /^(\d{1,4})(?: ?(?:\p{Pd}|[−~]|to|تا) ?(\d{1,4}))? ?(?:min(?:ute)?s?|دقیقه)?\.?$/iu

/** The least and the most minutes, or the only number; nothing of what says it otherwise. */
function readMinutes(text = ''): number[] {
  const [, ...minutes] = MINUTES.exec(clean(toAsciiDigits(text))) ?? []
  return minutes.filter((each) => each !== undefined).map(Number)
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
