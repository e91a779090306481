import { LRUCache } from 'lru-cache'
import { type FamilyFigures, familyFigures } from '../domain/family-figures.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { readResult } from '../domain/result.ts'
import type { RoadmapPart } from '../domain/roadmap.ts'
import { type ResultSection, readRoadmapResult } from '../domain/roadmap-result.ts'
import { whoIsIn } from '../domain/whose-section.ts'
import type { OwedResult } from '../kept/owed-result.ts'
import type { CardRenderer } from '../report/card-renderer.ts'
import { hasNumber, readMark } from '../report/sheet.ts'
import type { Language, Texts } from '../texts/texts.ts'

/** Of so many results the pictures are kept in the process while they are sent. */
const RESULTS_UNDER_WAY = 32

export type Drawable = Pick<OwedResult, 'json' | 'records' | 'date'>

/** Draws the pictures of results, each once for all of its parts and recipients. */
export function createResultPictures({ texts, cards }: { texts: Texts; cards: CardRenderer }) {
  const drawn = new LRUCache<string, Promise<Buffer[]>>({ max: RESULTS_UNDER_WAY })

  async function draw(
    file: RecordFile,
    result: Drawable,
    language: Language,
    most: number,
  ): Promise<Buffer[]> {
    const t = texts.for(language)
    const common = {
      t,
      title: file.test.title,
      date: new Date(result.date),
      note: t.plain('card-note'),
    }
    if (file.roadmap) {
      const picture = await cards.familyCard({ ...common, ...figuresOf(file.roadmap, result) })
      return picture ? [picture] : []
    }
    const { caseNumber } = file
    const { scales } = readResult(result.json)
    return cards.recordCards({ ...common, ...(caseNumber && { caseNumber }), scales, most })
  }

  /** At most so many. */
  return (file: RecordFile, result: Drawable, language: Language, most: number): Promise<Buffer[]> => {
    const key = `${file.s}:${result.date}:${language}:${most}`
    const known = drawn.get(key)
    if (known) return known
    const pictures = draw(file, result, language, most)
    drawn.set(key, pictures)
    pictures.catch(() => drawn.delete(key))
    return pictures
  }
}

/** Whether there is anything to draw. */
export const hasFigures = ({ roadmap }: RecordFile, result: Drawable): boolean =>
  roadmap
    ? figuresOf(roadmap, result).tests.length > 0
    : readResult(result.json).scales.some((scale) => hasNumber(readMark(scale)))

/** Whom the picture of a roadmap shows. */
export const peopleShown = (roadmap: RoadmapPart, result: Drawable): string[] =>
  figuresOf(roadmap, result).people.filter((person) => person !== '')

/** The figures of everybody; what was fetched of single tests takes the place of what the whole says of them. */
function figuresOf(roadmap: RoadmapPart, { json, records = [] }: Drawable): FamilyFigures {
  const whoIs = whoIsIn(roadmap)
  const own = records.flatMap((result): ResultSection[] => {
    const record = roadmap.records.find(({ s }) => s === result.s)
    const role = record && whoIs({ token: record.token })
    return record && role ? [{ title: record.title, role, scales: readResult(result.json).scales }] : []
  })
  const { sections } = readRoadmapResult(json, whoIs)
  return familyFigures([...own, ...sections.filter(({ title }) => own.every((test) => test.title !== title))])
}
