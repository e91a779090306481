import type { Scale, TestResult } from '../domain/result.ts'
import type { RoadmapResult } from '../domain/roadmap-result.ts'
import { raw } from '../texts/html.ts'
import { perLanguage } from '../texts/languages.ts'
import type { Translate } from '../texts/texts.ts'
import { packMessages } from './view.ts'

type ResultText = {
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

/** More messages than these nobody reads in a chat: the interpretations are then left to the report. */
const MOST_MESSAGES = 3

/** What is understood of a combined result, test by test; the whole of it is in the report, where there is one. */
export function roadmapMessages(
  t: Translate,
  {
    title,
    result,
    hasReport,
    ...ending
  }: Omit<ResultText, 'result'> & { result: RoadmapResult; hasReport: boolean },
): string[] {
  const { texts, sections } = result
  const head = [t('roadmap-report', { title }), ...analysisParagraphs(t, texts)]
  const full = packMessages([
    ...head,
    ...sections.flatMap((section) => [
      sectionHead(t, section),
      ...(section.summary ? [t('result-summary', { summary: section.summary })] : []),
      ...section.scales.flatMap((scale) => scaleParagraphs(t, scale)),
    ]),
    closing(t, ending),
  ])
  if (full.length <= MOST_MESSAGES || !hasReport) return full
  return packMessages([
    ...head,
    ...sections.map((section) =>
      [sectionHead(t, section), ...section.scales.map((scale) => scaleHead(t, scale))].join('\n'),
    ),
    t('roadmap-rest-in-report'),
    closing(t, ending),
  ])
}

const sectionHead = (t: Translate, { title, role }: RoadmapResult['sections'][number]): string =>
  role ? t('roadmap-section-role', { title, role }) : t('roadmap-section', { title })

/** The words of the analysis; a head that several parts share is said once. */
function analysisParagraphs(t: Translate, texts: RoadmapResult['texts']): string[] {
  return texts.flatMap(({ title, text }, index) => {
    const isNew = title !== undefined && title !== texts[index - 1]?.title
    return [...(isNew ? [t('roadmap-section', { title })] : []), t('result-summary', { summary: text })]
  })
}

/** Says what a picture shows, for whoever cannot see it. */
export function pictureCaption(
  t: Translate,
  { role, ...picture }: { title: string; role?: string | undefined; page: number; pages: number },
): string {
  return role ? t('result-picture-caption-role', { ...picture, role }) : t('result-picture-caption', picture)
}

/** What every result ends with: not a diagnosis, whom to ask, the organizer's own words of support. */
function closing(
  t: Translate,
  { organizerContact, supportText }: Pick<ResultText, 'organizerContact' | 'supportText'>,
): string {
  const notDiagnosis = t('result-closing', { contact: organizerContact })
  return supportText ? `${notDiagnosis}\n\n${t('result-support', { text: supportText })}` : notDiagnosis
}

function scaleParagraphs(t: Translate, scale: Scale): string[] {
  const head = scaleHead(t, scale)
  if (!scale.interpretation) return [head]
  const words = t('result-interpretation', { text: scale.interpretation })
  return [`${head}\n<blockquote expandable>${words}</blockquote>`]
}

function scaleHead(t: Translate, { title, score, percentile }: Scale): string {
  const figures = [
    ...(score === undefined ? [] : [t('result-score', { score: number(t, score) })]),
    ...(percentile === undefined ? [] : [t('result-percentile', { percentile: Math.round(percentile) })]),
  ].join(t('result-figures-joint'))
  if (!figures) return t('result-scale-bare', { title: title ?? t('result-scale-untitled') })
  return t('result-scale', { title: title ?? t('result-scale-untitled'), figures: raw(figures) })
}

/** At most two decimals; the sign stays on its side in a Persian line. */
const number = (t: Translate, value: number): string => numberFormat(t.language).format(value)
const numberFormat = perLanguage(
  ({ locale }) => new Intl.NumberFormat(locale, { maximumFractionDigits: 2, useGrouping: false }),
)
