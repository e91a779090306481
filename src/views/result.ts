import type { RoadmapResult, Scale, TestResult } from '../domain/result.ts'
import { raw } from '../texts/html.ts'
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

/** What is understood of a combined result, test by test; the whole of it is in the report. */
export function roadmapMessages(
  t: Translate,
  { title, result, ...ending }: Omit<ResultText, 'result'> & { result: RoadmapResult },
): string[] {
  return packMessages([
    t('roadmap-report', { title }),
    ...result.texts.map((summary) => t('result-summary', { summary })),
    ...result.sections.flatMap(({ title: test, role, summary, scales }) => [
      role ? t('roadmap-section-role', { title: test, role }) : t('roadmap-section', { title: test }),
      ...(summary ? [t('result-summary', { summary })] : []),
      ...scales.flatMap((scale) => scaleParagraphs(t, scale)),
    ]),
    closing(t, ending),
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

function scaleParagraphs(t: Translate, { title, score, percentile, interpretation }: Scale): string[] {
  const figures = [
    ...(score === undefined ? [] : [t('result-score', { score: number(t, score) })]),
    ...(percentile === undefined ? [] : [t('result-percentile', { percentile: Math.round(percentile) })]),
  ].join(t('result-figures-joint'))
  const head = t('result-scale', { title: title ?? t('result-scale-untitled'), figures: raw(figures) })
  if (!interpretation) return [head]
  const quote = `<blockquote expandable>${t('result-interpretation', { text: interpretation })}</blockquote>`
  return [`${head}\n${quote}`]
}

/** At most two decimals; the sign stays on its side in a Persian line. */
function number(t: Translate, value: number): string {
  const locale = t.language === 'fa' ? 'fa-IR' : 'en'
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 2, useGrouping: false }).format(value)
}
