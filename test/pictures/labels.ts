import { cardLabels } from '../../src/pictures/card.ts'
import { texts } from '../words.ts'

/** The texts of the cards, as the bot uses them. */
export const labels = cardLabels(texts.for('fa'))
