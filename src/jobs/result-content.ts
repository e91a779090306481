import { InputFile } from 'grammy'
import type { Config } from '../config.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { titleOf } from '../domain/record/whose.ts'
import type { CardRenderer } from '../report/card-renderer.ts'
import { underPolicy } from '../report/policy.ts'
import type { Language, Texts } from '../texts/texts.ts'
import { MOST_MESSAGES } from '../views/result.ts'
import { familyCaption } from '../views/roadmap-result.ts'
import { createResultMessages, type Tellable } from './result-messages.ts'
import { createResultPictures, peopleShown } from './result-pictures.ts'

/** What a result looks like in a chat: pictures, messages, the report as a document. */
export function createResultContent(deps: { texts: Texts; config: Config; cards: CardRenderer }) {
  const { texts } = deps
  const messages = createResultMessages(deps)
  const draw = createResultPictures(deps)

  const fileOf = (picture: Buffer, index: number) => new InputFile(picture, `result-${index + 1}.png`)

  /** So many pictures go beside the messages. */
  const roomFor = async (file: RecordFile, owed: Tellable, language: Language): Promise<number> =>
    MOST_MESSAGES - (await messages(file, owed, language)).length

  return {
    /** PNGs with their captions; none where the result has no figures. */
    async pictures(file: RecordFile, result: Tellable, language: Language) {
      const t = texts.for(language)
      const pictures = await draw(file, result, language, await roomFor(file, result, language))
      const title = titleOf(file)
      const { length: pages } = pictures
      return pictures.map((picture, index) => ({
        file: fileOf(picture, index),
        caption: file.roadmap
          ? familyCaption(t, { title: file.test.title, people: peopleShown(file.roadmap, result) })
          : t('result-picture-caption', { title, page: index + 1, pages }),
      }))
    },

    /** Some of the pictures as one album, and one caption. */
    async album(
      file: RecordFile,
      result: Tellable,
      language: Language,
      { index, count }: { index: number; count: number },
    ) {
      const room = await roomFor(file, result, language)
      const pictures = (await draw(file, result, language, room)).slice(index, index + count)
      return {
        files: pictures.map((picture, at) => fileOf(picture, index + at)),
        caption: texts.for(language)('result-album', { title: titleOf(file) }),
      }
    },

    messages,

    document(file: RecordFile, html: string, language: Language) {
      const t = texts.for(language)
      const { roadmap, test, caseNumber } = file
      const known = roadmap
        ? `${forFile(test.title)}-${file.s}`
        : (caseNumber && forFile(caseNumber)) || file.s
      return {
        file: new InputFile(Buffer.from(underPolicy(html)), `report-${known}.html`),
        caption: t('result-document-caption', { title: titleOf(file) }),
      }
    },
  }
}

/** What can stand in the name of a file: a case number such as PR-1405/00127 may not bring a folder into it. */
const forFile = (text: string): string => text.replace(/[^\p{L}\p{M}\p{N}_-]+/gu, '-').replace(/^-+|-+$/g, '')
