import { loadTexts } from '../src/texts/texts.ts'

const texts = loadTexts()
/** A text as the person reads it. */
export const word = texts.for('fa').plain
export const wordInEnglish = texts.for('en').plain

/** The report that is to be printed comes beside the one that the service has written. */
export const isPdf = ({ file_name: name = '' }: { file_name?: string | undefined }): boolean =>
  name.endsWith('.pdf')
