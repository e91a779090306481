import type { RoadmapResult } from '../domain/roadmap-result.ts'
import { shorten } from '../texts/shorten.ts'
import type { Translate } from '../texts/texts.ts'
import { closing, type ResultText, scaleHead, scaleParagraphs } from './result.ts'
import { packMessages, visibleLength } from './view.ts'

type RoadmapText = Omit<ResultText, 'result'> & { result: RoadmapResult; hasReport: boolean }

const MOST_LINES = 10
/** So many of them are for the words about everybody. */
const OVERVIEW_LINES = 4
/** Letters that stand on one line of a phone. */
const LINE = 48

/** The gist of a combined result, in a few lines beside its report; all that is understood, where there is no report. */
export function roadmapMessages(
  t: Translate,
  { title, result, hasReport, ...ending }: RoadmapText,
): string[] {
  const head = t('roadmap-report', { title })
  if (!hasReport) return packMessages([head, ...everything(t, result), closing(t, ending)])
  const gist = gistOf(t, result)
  const rest = t(gist.length > 0 ? 'roadmap-rest-in-report' : 'roadmap-all-in-report')
  return packMessages([head, ...gist, rest, closing(t, ending)])
}

/** The words about everybody first, then one sentence of each part of the analysis; without any, of each test. */
function gistOf(t: Translate, { texts, sections }: RoadmapResult): string[] {
  let left = MOST_LINES
  const taken = (text: string): boolean => {
    const lines = linesOf(text)
    if (lines > left) return false
    left -= lines
    return true
  }
  const [general] = texts.filter(({ title }) => title === undefined)
  const overview = general
    ? [t('result-summary', { summary: beginning(general.text, OVERVIEW_LINES) })].filter(taken)
    : []
  const parts = texts.filter(({ title }, index) => title !== undefined && title !== texts[index - 1]?.title)
  const lines = parts.map(({ title = '', text }) => t('roadmap-gist', { title, text: beginning(text, 2) }))
  const tests = sections.map((section) => `${sectionHead(t, section)}: ${gistOfTest(t, section)}`)
  const details = (lines.length > 0 ? lines : tests).filter(taken)
  return details.length > 0 ? [...overview, details.join('\n')] : overview
}

/** A sentence of a test's own summary, else its figures. */
function gistOfTest(t: Translate, { summary, scales }: RoadmapResult['sections'][number]): string {
  if (summary) return t('result-summary', { summary: beginning(summary, 2) })
  return scales.map((scale) => scaleHead(t, scale)).join(t('result-figures-joint'))
}

const linesOf = (html: string): number => Math.ceil(visibleLength(html) / LINE)

/** As many whole sentences as stand on so many lines; of a longer first one as many words. */
function beginning(text: string, lines: number): string {
  const sentences = text.match(/.+?(?:[.!?؟…]+(?=\s|$)|$)/gsu) ?? []
  let begun = ''
  for (const sentence of sentences) {
    const longer = begun + sentence
    if (longer.length > lines * LINE) break
    begun = longer
  }
  if (begun !== '') return begun.trim()
  return shorten(text, lines * LINE).replace(/\s+\S*…$/u, '…')
}

/** All that is understood of a combined result, test by test. */
function everything(t: Translate, { texts, sections }: RoadmapResult): string[] {
  return [
    ...analysisParagraphs(t, texts),
    ...sections.flatMap((section) => [
      sectionHead(t, section),
      ...(section.summary ? [t('result-summary', { summary: section.summary })] : []),
      ...section.scales.flatMap((scale) => scaleParagraphs(t, scale)),
    ]),
  ]
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
