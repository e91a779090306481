import { InputFile } from 'grammy'
import type { Config } from '../config.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { titleOf } from '../domain/record/whose.ts'
import { readResult } from '../domain/result.ts'
import { readRoadmapResult } from '../domain/roadmap-result.ts'
import { whoIsIn } from '../domain/whose-section.ts'
import type { OwedResult } from '../kept/owed-result.ts'
import type { CardRenderer } from '../report/card-renderer.ts'
import type { Language, Texts } from '../texts/texts.ts'
import { albumCaption, pictureCaption } from '../views/picture-captions.ts'
import { resultMessages } from '../views/result.ts'
import { roadmapMessages } from '../views/roadmap-result.ts'
import { createResultPictures, type Drawable } from './result-pictures.ts'

/** What a result looks like in a chat: pictures, messages, the report as a document. */
export function createResultContent(deps: { texts: Texts; config: Config; cards: CardRenderer }) {
  const { texts, config } = deps
  const { organizerContact, supportText } = config
  const draw = createResultPictures(deps)

  const fileOf = (picture: Buffer, index: number) => new InputFile(picture, `result-${index + 1}.png`)

  return {
    /** PNGs with their captions; none where the result has no figures. */
    async pictures(file: RecordFile, result: Drawable, language: Language) {
      const t = texts.for(language)
      const pictures = await draw(file, result, language)
      return pictures.map(({ picture, of }, index) => ({
        file: fileOf(picture, index),
        caption: pictureCaption(t, {
          ...of,
          title: of?.title || titleOf(file),
          page: index + 1,
          pages: pictures.length,
        }),
      }))
    },

    /** Some of the pictures as one album, and one caption that says what all of them show. */
    async album(
      file: RecordFile,
      result: Drawable,
      language: Language,
      { index, count }: { index: number; count: number },
    ) {
      const pictures = (await draw(file, result, language)).slice(index, index + count)
      return {
        files: pictures.map(({ picture }, at) => fileOf(picture, index + at)),
        caption: albumCaption(texts.for(language), {
          title: titleOf(file),
          pictures: pictures.flatMap(({ of }) => of ?? []),
        }),
      }
    },

    messages(
      file: RecordFile,
      { json, html, isReportAwaited }: Pick<OwedResult, 'json' | 'html' | 'isReportAwaited'>,
      language: Language,
    ): string[] {
      const t = texts.for(language)
      const common = { title: titleOf(file), organizerContact, supportText }
      if (!file.roadmap) return resultMessages(t, { ...common, result: readResult(json) })
      const hasReport = html !== undefined || isReportAwaited === true
      return roadmapMessages(t, {
        ...common,
        result: readRoadmapResult(json, whoIsIn(file.roadmap)),
        hasReport,
      })
    },

    document(file: RecordFile, html: string, language: Language) {
      const t = texts.for(language)
      const { roadmap, test, caseNumber } = file
      const known = roadmap
        ? `${forFile(test.title)}-${file.s}`
        : (caseNumber && forFile(caseNumber)) || file.s
      return {
        file: new InputFile(Buffer.from(html), `report-${known}.html`),
        caption: t('result-document-caption', { title: titleOf(file) }),
      }
    },
  }
}

/** What can stand in the name of a file: a case number such as PR-1405/00127 may not bring a folder into it. */
const forFile = (text: string): string => text.replace(/[^\p{L}\p{M}\p{N}_-]+/gu, '-').replace(/^-+|-+$/g, '')
