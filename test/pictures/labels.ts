import { cardLabels } from '../../src/pictures/card.ts'
import { texts } from '../words.ts'

/** The words of the cards, as the bot says them. */
export const labels = cardLabels(texts.for('fa'), (text) => text)
