import { cardLabels } from '../../src/pictures/labels.ts'
import { loadTexts } from '../../src/texts/texts.ts'

/** The words of the cards, as the bot says them. */
export const texts = loadTexts()
export const labels = cardLabels(texts.for('fa'), (text) => text)
