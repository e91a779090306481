import { InputFile } from 'grammy'
import { LRUCache } from 'lru-cache'
import type { Config } from '../config.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { titleOf } from '../domain/record/whose.ts'
import { readResult } from '../domain/result.ts'
import { readRoadmapResult } from '../domain/roadmap-result.ts'
import type { OwedResult } from '../kept/owed-result.ts'
import type { RoadmapSection } from '../report/card.ts'
import type { CardRenderer } from '../report/card-renderer.ts'
import type { Language, Texts } from '../texts/texts.ts'
import { cardLabels } from '../views/card-labels.ts'
import { pictureCaption, resultMessages, roadmapMessages } from '../views/result.ts'

/** Of so many results the pictures are kept in the process while they are sent. */
const RESULTS_UNDER_WAY = 32

type Drawn = { picture: Buffer; section?: RoadmapSection }
type Drawable = Pick<OwedResult, 'json' | 'date'>

/** What a result looks like in a chat: pictures, messages, the report as a document. */
export function createResultContent(deps: { texts: Texts; config: Config; cards: CardRenderer }) {
  const { texts, config, cards } = deps
  const { organizerContact, supportText } = config

  /** A result goes out part by part: its pictures are drawn once for all of them. */
  const drawn = new LRUCache<string, Promise<Drawn[]>>({ max: RESULTS_UNDER_WAY })

  async function draw(file: RecordFile, { json, date }: Drawable, language: Language): Promise<Drawn[]> {
    const t = texts.for(language)
    const common = {
      language,
      title: file.test.title,
      date: new Date(date),
      note: t.plain('card-note'),
      labels: cardLabels(t),
    }
    if (file.roadmap) return cards.roadmapCards({ ...common, sections: readRoadmapResult(json).sections })
    const { caseNumber } = file
    const { scales } = readResult(json)
    const pictures = await cards.recordCards({ ...common, ...(caseNumber && { caseNumber }), scales })
    return pictures.map((picture) => ({ picture }))
  }

  function drawnOnce(file: RecordFile, result: Drawable, language: Language): Promise<Drawn[]> {
    const key = `${file.s}:${result.date}:${language}`
    const known = drawn.get(key)
    if (known) return known
    const pictures = draw(file, result, language)
    drawn.set(key, pictures)
    pictures.catch(() => drawn.delete(key))
    return pictures
  }

  return {
    /** PNGs with their captions; none where the result has no figures. */
    async pictures(file: RecordFile, result: Drawable, language: Language) {
      const t = texts.for(language)
      const pictures = await drawnOnce(file, result, language)
      return pictures.map(({ picture, section }, index) => ({
        file: new InputFile(picture, `result-${index + 1}.png`),
        caption: pictureCaption(t, {
          title: section?.title || titleOf(file),
          role: section?.role,
          page: index + 1,
          pages: pictures.length,
        }),
      }))
    },

    messages(
      file: RecordFile,
      { json, html, isReportAwaited }: Pick<OwedResult, 'json' | 'html' | 'isReportAwaited'>,
      language: Language,
    ): string[] {
      const t = texts.for(language)
      const common = { title: titleOf(file), organizerContact, supportText }
      return file.roadmap
        ? roadmapMessages(t, {
            ...common,
            result: readRoadmapResult(json),
            hasReport: html !== undefined || isReportAwaited === true,
          })
        : resultMessages(t, { ...common, result: readResult(json) })
    },

    document(file: RecordFile, html: string, language: Language) {
      const t = texts.for(language)
      // The name says what it is; a case number such as PR-1405/00127 may not bring a folder into it.
      const known = file.roadmap ? [file.test.title, file.s].join('-') : (file.caseNumber ?? file.s)
      const name = known.replace(/[^\p{L}\p{M}\p{N}_-]+/gu, '-')
      return {
        file: new InputFile(Buffer.from(html), `report-${name}.html`),
        caption: t('result-document-caption', { title: titleOf(file) }),
      }
    },
  }
}
