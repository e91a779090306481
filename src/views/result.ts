import type { TestResult } from '../domain/result.ts'
import { placeOf, type Scale } from '../domain/scale.ts'
import { raw } from '../texts/html.ts'
import { perLanguage } from '../texts/languages.ts'
import type { Translate } from '../texts/texts.ts'
import { packMessages } from './view.ts'

export type ResultText = {
  title: string
  result: TestResult
  organizerContact: string
  supportText?: string | undefined
}

/** The result as text: summary, every scale with its interpretation, and the closing; one or more messages. */
export function resultMessages(
  t: Translate,
  { title, result, organizerContact, supportText }: ResultText,
): string[] {
  return packMessages([
    t('result-title', { title }),
    ...(result.summary ? [t('result-summary', { summary: result.summary })] : []),
    ...result.scales.flatMap((scale) => scaleParagraphs(t, scale)),
    closing(t, { organizerContact, supportText }),
  ])
}

/** What every result ends with: not a diagnosis, whom to ask, the organizer's own words of support. */
export function closing(
  t: Translate,
  { organizerContact, supportText }: Pick<ResultText, 'organizerContact' | 'supportText'>,
): string {
  const notDiagnosis = t('result-closing', { contact: organizerContact })
  return supportText ? `${notDiagnosis}\n\n${t('result-support', { text: supportText })}` : notDiagnosis
}

/** A scale with its figures, and what they mean in a quotation that opens. */
export function scaleParagraphs(t: Translate, scale: Scale): string[] {
  const head = scaleHead(t, scale)
  if (!scale.interpretation) return [head]
  const words = t('result-interpretation', { text: scale.interpretation })
  return [`${head}\n<blockquote expandable>${words}</blockquote>`]
}

/** A scale with its figures, on one line. */
export function scaleHead(t: Translate, scale: Scale): string {
  const { title, score, max, percentile } = scale
  const standing = standingOf(t, scale)
  const points =
    score === undefined
      ? []
      : max === undefined
        ? [t('result-score', { score: number(t, score) })]
        : [t('result-score-of', { score: number(t, score), max: number(t, max) })]
  const figures = [
    ...points,
    ...(percentile === undefined ? [] : [t('result-percentile', { percentile: Math.round(percentile) })]),
    ...(standing ? [standing] : []),
  ].join(t('result-figures-joint'))
  if (!figures) return t('result-scale-bare', { title: title ?? t('result-scale-untitled') })
  return t('result-scale', { title: title ?? t('result-scale-untitled'), figures: raw(figures) })
}

const places = {
  below: 'result-place-below',
  usual: 'result-place-usual',
  above: 'result-place-above',
} as const

/** What the result calls a score: in its own words, or where it lies beside what is usual. */
function standingOf(t: Translate, scale: Scale): string | undefined {
  if (scale.level?.words) return t('result-level', { level: scale.level.words })
  const place = placeOf(scale)
  return place && t(places[place])
}

/** At most two decimals; the sign stays on its side in a Persian line. */
const number = (t: Translate, value: number): string => numberFormat(t.language).format(value)
const numberFormat = perLanguage(
  ({ locale }) => new Intl.NumberFormat(locale, { maximumFractionDigits: 2, useGrouping: false }),
)
