import type { ResultTo } from '../domain/invitation.ts'
import { clean, toAsciiDigits } from '../domain/persian/clean.ts'
import { isRightToLeft } from '../texts/languages.ts'
import { shorten, type Translate } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { button, paragraphs, type View } from './view.ts'

/** A number or a range of minutes, as a service may write it (spec, generate: "a range of minutes"). */
const MINUTES = /^(\d{1,4})(?: ?(?:\p{Pd}|[−~]|to|تا) ?(\d{1,4}))? ?(?:min(?:ute)?s?|دقیقه)?\.?$/iu

/** The minutes where the service names none, or writes them in another way. */
const USUAL = [undefined, '5', '10'] as const

/** One calm message: what is going on, how long it usually takes, and that there is no need to wait. */
export function generatingView(
  t: Translate,
  { expectedMinutes = '', resultTo }: { expectedMinutes?: string | undefined; resultTo: ResultTo },
): View {
  const [, from, to] = MINUTES.exec(clean(toAsciiDigits(expectedMinutes))) ?? USUAL
  const least = Number(from)
  const time =
    to === undefined
      ? t.plain('intro-minutes', { minutes: least })
      : t.plain('minutes-between', { from: least, to: Number(to) })
  return { text: paragraphs(`${t('generating')} ${t('generating-time', { time })}`, sentToText(t, resultTo)) }
}

/** Where the report goes once it is ready. */
const sentToText = (t: Translate, resultTo: ResultTo): string =>
  t(resultTo === 'organizer' ? 'report-goes-organizer' : 'report-goes-here')

/** The analysis takes longer than usual. */
export const generationSlowView = (t: Translate, resultTo: ResultTo): View => ({
  text: paragraphs(t('generation-slow'), sentToText(t, resultTo)),
})

/** The report is ready, or delivered. `resultTo` decides who receives it. */
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

const MOST_REASONS = 3
const LETTERS_A_REASON = 300
/** A number of this length could be a mobile. */
const LONG_NUMBER = /\p{Nd}{7,}/gu

/** The service's own words for a failure, as many as fit in a message. */
export const failureReasons = (t: Translate, reasons: readonly string[]): string[] =>
  reasons.slice(0, MOST_REASONS).map((whole) => {
    const reason = shorten(whole.replace(LONG_NUMBER, '…'), LETTERS_A_REASON)
    return t('generation-failed-reason', { reason })
  })

/** The reasons that a participant can read: in a Persian chat only those written in Persian. */
export function readableReasons(t: Translate, reasons: readonly string[]): string[] {
  if (!isRightToLeft(t.language)) return [...reasons]
  return reasons.filter((reason) => /\p{Script=Arabic}/u.test(reason) && !/\p{Script=Latin}/u.test(reason))
}
