import { setImmediate } from 'node:timers/promises'
import { InputFile } from 'grammy'
import { LRUCache } from 'lru-cache'
import type { Config } from '../config.ts'
import { type FamilyFigures, familyFigures } from '../domain/family-figures.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { roleLabel, titleOf } from '../domain/record/whose.ts'
import { readResult } from '../domain/result.ts'
import type { RoadmapPart } from '../domain/roadmap.ts'
import { type ResultSection, readRoadmapResult } from '../domain/roadmap-result.ts'
import { whoIsIn } from '../domain/whose-section.ts'
import type { CardRenderer } from '../pictures/card-renderer.ts'
import { underPolicy } from '../pictures/policy.ts'
import { hasFigure } from '../pictures/sheet.ts'
import type { Language, Texts } from '../texts/texts.ts'
import { MOST_MESSAGES, resultMessages } from '../views/result.ts'
import { familyCaption, roadmapMessages } from '../views/roadmap-result.ts'
import type { FetchedResult } from './fetch-result.ts'

/** So many of all messages are words where there are pictures: of a record several, of a family one. */
const MOST_BESIDE_PICTURES = 6
const MOST_BESIDE_ONE = MOST_MESSAGES - 1
/** Of so many results the pictures are kept in the process while they are sent. */
const RESULTS_UNDER_WAY = 32

type ContentDeps = { texts: Texts; config: Config; cards: CardRenderer }

/** What a result looks like in a chat: pictures, messages, the report as a document. */
export function createResultContent(deps: ContentDeps) {
  const { texts } = deps
  // Each result is drawn once for all of its parts and recipients.
  const known = new LRUCache<string, Promise<Buffer[]>>({ max: RESULTS_UNDER_WAY })

  async function drawnOf(file: RecordFile, result: FetchedResult, language: Language): Promise<Buffer[]> {
    const most = MOST_MESSAGES - (await messagesOf(deps, file, result, language)).length
    const key = `${file.s}:${result.date}:${language}:${most}`
    const drawn = known.get(key) ?? draw(deps, file, result, language, most)
    known.set(key, drawn)
    drawn.catch(() => known.delete(key))
    return drawn
  }

  return {
    /** PNGs with their captions; none where the result has no figures. */
    async pictures(file: RecordFile, result: FetchedResult, language: Language) {
      const t = texts.for(language)
      const pictures = await drawnOf(file, result, language)
      const title = titleOf(file)
      const { length: pages } = pictures
      return pictures.map((picture, index) => ({
        file: pictureFile(picture, index),
        caption: file.roadmap
          ? familyCaption(t, { title: file.test.title, people: peopleShown(file.roadmap, result) })
          : t('result-picture-caption', { title, page: index + 1, pages }),
      }))
    },

    /** Some of the pictures as one album, and one caption. */
    async album(
      file: RecordFile,
      result: FetchedResult,
      language: Language,
      { index, count }: { index: number; count: number },
    ) {
      const pictures = (await drawnOf(file, result, language)).slice(index, index + count)
      return {
        files: pictures.map((picture, at) => pictureFile(picture, index + at)),
        caption: texts.for(language)('result-album', { title: titleOf(file) }),
      }
    },

    messages: (file: RecordFile, result: FetchedResult, language: Language) =>
      messagesOf(deps, file, result, language),

    document(file: RecordFile, html: string, language: Language) {
      const { roadmap, test, caseNumber } = file
      const name = roadmap
        ? `${forFile(test.title)}-${file.s}`
        : (caseNumber && forFile(caseNumber)) || file.s
      return {
        file: new InputFile(Buffer.from(underPolicy(html)), `report-${name}.html`),
        caption: texts.for(language)('result-document-caption', { title: titleOf(file) }),
      }
    },
  }
}

const pictureFile = (picture: Buffer, index: number) => new InputFile(picture, `result-${index + 1}.png`)

/** What can stand in the name of a file: a case number such as PR-1405/00127 may not bring a folder into it. */
const forFile = (text: string): string => text.replace(/[^\p{L}\p{M}\p{N}_-]+/gu, '-').replace(/^-+|-+$/g, '')

/** Writes a result as messages, no more of them than are read. */
async function messagesOf(
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
    hasReport: result.html !== undefined || result.isReportAwaited === true,
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

/** Draws a result, on no more pictures than this. */
async function draw(
  { texts, cards }: ContentDeps,
  file: RecordFile,
  result: FetchedResult,
  language: Language,
  most: number,
): Promise<Buffer[]> {
  const t = texts.for(language)
  const common = { t, title: file.test.title, date: new Date(result.date), note: t.plain('card-note') }
  if (file.roadmap) {
    const picture = await cards.familyCard({ ...common, ...figuresOf(file.roadmap, result) })
    return picture ? [picture] : []
  }
  const { caseNumber } = file
  const { scales } = readResult(result.json)
  return cards.recordCards({ ...common, ...(caseNumber && { caseNumber }), scales, most })
}

/** Whether there is anything to draw. */
const hasFigures = ({ roadmap }: RecordFile, result: FetchedResult): boolean =>
  roadmap ? figuresOf(roadmap, result).tests.length > 0 : readResult(result.json).scales.some(hasFigure)

/** Whom the picture of a roadmap shows. */
const peopleShown = (roadmap: RoadmapPart, result: FetchedResult): string[] =>
  figuresOf(roadmap, result).people.filter((person) => person !== '')

/** The figures of everybody; what was fetched of single tests takes the place of what the whole says of them. */
function figuresOf(roadmap: RoadmapPart, { json, records = [] }: FetchedResult): FamilyFigures {
  const whoIs = whoIsIn(roadmap)
  const own = records.flatMap((result): ResultSection[] => {
    const record = roadmap.records.find(({ s }) => s === result.s)
    const role = record && whoIs({ token: record.token })
    return record && role ? [{ title: record.title, role, scales: readResult(result.json).scales }] : []
  })
  const { sections } = readRoadmapResult(json, whoIs)
  return familyFigures([...own, ...sections.filter(({ title }) => own.every((test) => test.title !== title))])
}
