import { loadTexts } from '../../src/texts/texts.ts'
import { cardLabels } from '../../src/views/card-labels.ts'

const texts = loadTexts()

/** The words of the cards, as the bot says them. */
export const labels = { fa: cardLabels(texts.for('fa')), en: cardLabels(texts.for('en')) }
