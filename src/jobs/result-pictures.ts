import { LRUCache } from 'lru-cache'
import { type Comparison, compareTests } from '../domain/comparison.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { readResult } from '../domain/result.ts'
import { type ResultSection, readRoadmapResult } from '../domain/roadmap-result.ts'
import { whoIsIn } from '../domain/whose-section.ts'
import type { OwedResult } from '../kept/owed-result.ts'
import type { CardRenderer } from '../report/card-renderer.ts'
import { hasFigure } from '../report/sheet.ts'
import type { Language, Texts } from '../texts/texts.ts'
import { cardLabels } from '../views/card-labels.ts'

/** Of so many results the pictures are kept in the process while they are sent. */
const RESULTS_UNDER_WAY = 32

/** A picture; of a roadmap with what it shows. */
type Drawn = { picture: Buffer; of?: { title: string; role?: string; people?: readonly string[] } }
export type Drawable = Pick<OwedResult, 'json' | 'records' | 'date'>

/** Draws the pictures of results, each once for all of its parts and recipients. */
export function createResultPictures({ texts, cards }: { texts: Texts; cards: CardRenderer }) {
  const drawn = new LRUCache<string, Promise<Drawn[]>>({ max: RESULTS_UNDER_WAY })

  async function draw(
    file: RecordFile,
    result: Drawable,
    language: Language,
    most: number,
  ): Promise<Drawn[]> {
    const t = texts.for(language)
    const common = {
      language,
      title: file.test.title,
      date: new Date(result.date),
      note: t.plain('card-note'),
      labels: cardLabels(t),
      most,
    }
    if (file.roadmap) return cards.roadmapCards({ ...common, ...roadmapSections(file.roadmap, result) })
    const { caseNumber } = file
    const { scales } = readResult(result.json)
    const pictures = await cards.recordCards({ ...common, ...(caseNumber && { caseNumber }), scales })
    return pictures.map((picture) => ({ picture }))
  }

  /** At most so many. */
  return (file: RecordFile, result: Drawable, language: Language, most: number): Promise<Drawn[]> => {
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
export function hasFigures({ roadmap }: RecordFile, result: Drawable): boolean {
  if (!roadmap) return readResult(result.json).scales.some(hasFigure)
  const { sections, compared } = roadmapSections(roadmap, result)
  return compared.length > 0 || sections.some(({ scales }) => scales.some(hasFigure))
}

/** The tests of a roadmap, and those that several people have taken side by side. */
function roadmapSections(
  roadmap: NonNullable<RecordFile['roadmap']>,
  { json, records = [] }: Drawable,
): { sections: ResultSection[]; compared: Comparison[] } {
  const whoIs = whoIsIn(roadmap)
  const { sections } = readRoadmapResult(json, whoIs)
  const own = records.flatMap((result): ResultSection[] => {
    const record = roadmap.records.find(({ s }) => s === result.s)
    const role = record && whoIs({ token: record.token })
    return record && role ? [{ title: record.title, role, scales: readResult(result.json).scales }] : []
  })
  return { sections, compared: [...compareTests(sections), ...compareTests(own)] }
}
