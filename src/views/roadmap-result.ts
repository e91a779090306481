import type { ResultSection, RoadmapResult } from '../domain/roadmap-result.ts'
import { beginningOf } from '../domain/sentences.ts'
import type { Translate } from '../texts/texts.ts'
import { clip, headed, packResult, type ResultText, saidPieces, testPieces } from './result.ts'

/** With a title it fits a caption. */
const LONGEST_NAMES = 500

type RoadmapText = Omit<ResultText, 'result'> & {
  result: RoadmapResult
  /** Everybody whose result it is. */
  people: readonly string[]
}

/** A combined result beside its report: its people, all that it says of the whole, then test by test. */
export function roadmapMessages(t: Translate, text: RoadmapText): Promise<string[]> {
  return packResult(t, pieces(t, text), text)
}

function* pieces(t: Translate, { title, people, result }: RoadmapText): Generator<string> {
  const head = t('roadmap-report', { title })
  const names = people.join(t('result-figures-joint'))
  yield people.length > 1 ? `${head}\n${t('roadmap-people', { people: names })}` : head
  yield* saidPieces(t, result.said)
  for (const section of result.sections) {
    yield* headed(sectionHead(t, section), testPieces(t, section))
  }
}

/** Says what the picture of a family shows, for whoever cannot see it. */
export const familyCaption = (
  t: Translate,
  { title, people }: { title: string; people: readonly string[] },
): string => {
  const names = beginningOf(people.join(t('result-figures-joint')), LONGEST_NAMES)
  return people.length === 0
    ? t('result-picture-caption', { title: clip(title), page: 1, pages: 1 })
    : t('result-picture-caption-family', { title: clip(title), people: names })
}

const sectionHead = (t: Translate, { title, role }: ResultSection): string =>
  role
    ? t('roadmap-section-role', { title: clip(title), role: clip(role) })
    : t('roadmap-section', { title: clip(title) })
