import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { type FamilyFigures, familyFigures, withEarlier } from '../domain/family-figures.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { roleLabel, titleOf } from '../domain/record/whose.ts'
import { readResult } from '../domain/result.ts'
import type { RoadmapPart } from '../domain/roadmap.ts'
import { type ResultSection, readRoadmapResult, whoIsIn } from '../domain/roadmap-result.ts'
import { partsOf } from '../domain/sentences.ts'
import { hasFigure } from '../pictures/card.ts'
import { type Language, plain } from '../texts/texts.ts'
import { MOST_MESSAGES, resultMessages, roadmapMessages } from '../views/result.ts'
import type { JobDeps, With } from './deps.ts'
import type { FetchedResult } from './fetch-result.ts'

/** So many of all messages are words where there are pictures: of a record several, of a family one. */
const MOST_BESIDE_PICTURES = 6
const MOST_BESIDE_ONE = MOST_MESSAGES - 1
/** Of so many results the pictures are kept in the process while they are sent. */
const RESULTS_UNDER_WAY = 32

export type ContentDeps = Pick<JobDeps, 'texts' | 'cards'> &
  With<'organizerContact' | 'supportText' | 'organizers'>

export const hasReport = ({ html, isReportAwaited }: FetchedResult): boolean =>
  html !== undefined || isReportAwaited === true

/** Writes a result as messages, no more of them than are read. */
export async function messagesOf(
  { texts, config }: ContentDeps,
  file: RecordFile,
  result: FetchedResult,
  language: Language,
): Promise<string[]> {
  const t = texts.for(language)
  const { roadmap } = file
  const { organizerContact, supportText } = config
  const common = {
    title: titleOf(file),
    organizerContact,
    supportText,
    hasReport: hasReport(result),
    isCut: result.isCut,
    most: !hasFigures(file, result) ? MOST_MESSAGES : roadmap ? MOST_BESIDE_ONE : MOST_BESIDE_PICTURES,
  }
  await setImmediate() // a large result is read again now
  if (!roadmap) return resultMessages(t, { ...common, result: readResult(result.json) })
  const people = roadmap.roles.map(roleLabel)
  const { said, sections } = readRoadmapResult(result.json, whoIsIn(roadmap))
  // What the roadmap is called stands in the head.
  const whole = said.filter(({ text }) => text !== file.test.title)
  return roadmapMessages(t, { ...common, people, result: { said: whole, sections } })
}

/** Letters of a line that the report breaks by itself. */
const LETTERS_A_LINE = 380

/** A result as a PDF: its pictures, then all that its messages say. */
export async function pdfOf(
  deps: ContentDeps,
  file: RecordFile,
  result: FetchedResult,
  language: Language,
  pictures: readonly Buffer[],
): Promise<Buffer> {
  const t = deps.texts.for(language)
  const messages = await messagesOf(deps, file, result, language)
  // What stands in the head of the first page is not said twice.
  const [, ...said] = messages.join('\n').split('\n')
  const lines = said.flatMap((html) => {
    const isHead = /^[\u200e\u200f]?<b>/.test(html)
    return [...partsOf(plain(html), LETTERS_A_LINE)].map((text) => ({ text, isHead }))
  })
  const { caseNumber, roadmap } = file
  const common = { t, title: titleOf(file), date: dateOf(file, result), note: t.plain('card-note') }
  return deps.cards.report({ ...common, ...(caseNumber && !roadmap && { caseNumber }), lines, pictures })
}

/** The pictures of results, each drawn once for all of its parts and recipients. */
export function createPictures(deps: ContentDeps) {
  const known = new LRUCache<string, Promise<Buffer[]>>({ max: RESULTS_UNDER_WAY })

  return async (file: RecordFile, result: FetchedResult, language: Language): Promise<Buffer[]> => {
    const most = MOST_MESSAGES - (await messagesOf(deps, file, result, language)).length
    const key = `${file.s}:${result.date}:${language}:${most}`
    const drawn = known.get(key) ?? draw(deps, file, result, language, most)
    known.set(key, drawn)
    drawn.catch(() => known.delete(key))
    return drawn
  }
}

/** Draws a result, on no more pictures than this; on none where it has no figures. */
async function draw(
  { texts, cards }: ContentDeps,
  file: RecordFile,
  result: FetchedResult,
  language: Language,
  most: number,
): Promise<Buffer[]> {
  const t = texts.for(language)
  const common = { t, title: file.test.title, date: dateOf(file, result), note: t.plain('card-note') }
  if (file.roadmap) {
    const picture = await cards.familyCard({ ...common, ...figuresOf(file.roadmap, result) })
    return picture ? [picture] : []
  }
  const { caseNumber } = file
  const { earlier } = result
  const then = earlier && { earlierDate: new Date(earlier.at) }
  const scales = withEarlier(readResult(result.json).scales, readResult(earlier?.json).scales)
  return cards.recordCards({ ...common, ...(caseNumber && { caseNumber }), ...then, scales, most })
}

/** When it was made, whenever it is asked for. */
const dateOf = ({ finishedAt }: RecordFile, { date }: FetchedResult) => new Date(finishedAt ?? date)

/** Whether there is anything to draw. */
const hasFigures = ({ roadmap }: RecordFile, result: FetchedResult): boolean =>
  roadmap ? figuresOf(roadmap, result).tests.length > 0 : readResult(result.json).scales.some(hasFigure)

/** The figures of everybody; what was fetched of single tests takes the place of what the whole says of them. */
export function figuresOf(roadmap: RoadmapPart, { json, records = [] }: FetchedResult): FamilyFigures {
  const whoIs = whoIsIn(roadmap)
  const own = records.flatMap((result): ResultSection[] => {
    const record = roadmap.records.find(({ s }) => s === result.s)
    const role = record && whoIs({ token: record.token })
    return record && role ? [{ title: record.title, role, scales: readResult(result.json).scales }] : []
  })
  const { sections } = readRoadmapResult(json, whoIs)
  return familyFigures([...own, ...sections.filter(({ title }) => own.every((test) => test.title !== title))])
}
