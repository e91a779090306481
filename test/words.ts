import { loadTexts } from '../src/texts/texts.ts'

const texts = loadTexts()
/** A text as the person reads it. */
export const word = texts.for('fa').plain
export const wordInEnglish = texts.for('en').plain
