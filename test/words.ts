import { loadTexts } from '../src/texts/texts.ts'

/** Who invites in all stories that name nobody else. */
export const INVITER = { organizerName: 'کلینیک آرامش', organizerContact: '021-12345678' }
export const texts = loadTexts(INVITER)
/** A text as the person reads it. */
export const word = texts.for('fa').plain
export const wordInEnglish = texts.for('en').plain

/** The report that is to be printed comes beside the one that the service has written. */
export const isPdf = ({ file_name: name = '' }: { file_name?: string | undefined }): boolean =>
  name.endsWith('.pdf')

type Arrived = { photo?: unknown; document?: { file_name?: string | undefined } | undefined; text?: string }

/** The kinds of what has arrived of a result, in order; the PDF beside the report is none of its own. */
export const resultParts = (messages: readonly Arrived[], isResult: (text: string) => boolean) =>
  messages.flatMap(({ photo, document, text = '' }) => {
    if (photo) return 'picture'
    if (document) return isPdf(document) ? [] : 'document'
    return isResult(text) ? 'text' : []
  })
