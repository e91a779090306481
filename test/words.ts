import { loadTexts } from '../src/texts/texts.ts'

/** The organizer of all stories that name no other one. */
export const INVITER = { organizerName: 'کلینیک آرامش', organizerContact: '021-12345678' }
export const texts = loadTexts(INVITER)
/** A text as the person reads it. */
export const word = texts.for('fa').plain
export const wordInEnglish = texts.for('en').plain

/** Whether a file is the printable report, which is sent beside the report of the service. */
export const isPdf = ({ file_name: name = '' }: { file_name?: string | undefined }): boolean =>
  name.endsWith('.pdf')

type Arrived = { photo?: unknown; document?: { file_name?: string | undefined } | undefined; text?: string }

/** The kinds of the parts of a result, in order; the PDF beside the report does not count. */
export const resultParts = (messages: readonly Arrived[], isResult: (text: string) => boolean) =>
  messages.flatMap(({ photo, document, text = '' }) => {
    if (photo) return 'picture'
    if (document) return isPdf(document) ? [] : 'document'
    return isResult(text) ? 'text' : []
  })
