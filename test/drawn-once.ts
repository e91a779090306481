import { createHash } from 'node:crypto'
import type { CardRenderer } from '../src/pictures/card-renderer.ts'
import { formatDay } from '../src/pictures/text.ts'
import type { Language, Translate } from '../src/texts/texts.ts'
import { createWays } from './ways.ts'

/** Draws each card once per run of the tests, for all workers: most results of the stories look the same. */
export function drawnOnce(cards: CardRenderer): CardRenderer {
  return {
    ...cards,
    recordCards: once('record', cards.recordCards),
    familyCard: once('family', cards.familyCard),
    report: once('report', cards.report),
    bars: once('bars', cards.bars),
  }
}

type Worded = ({ t: Translate } | { language: Language }) & { pictures?: readonly Buffer[] }

/** Only the day of a date is drawn, and the texts depend only on the language. */
function once<Shown extends Worded & { date: Date }, Drawn>(
  kind: string,
  draw: (shown: Shown) => Promise<Drawn>,
): (shown: Shown) => Promise<Drawn> {
  const drawn = createWays<Drawn>()
  return (shown) => {
    const { language } = 't' in shown ? shown.t : shown
    const pictures = shown.pictures?.map(hashOf)
    const key = JSON.stringify({ ...shown, language, date: formatDay(language, shown.date), pictures })
    return drawn.reach(`drawing of a ${kind}: ${key}`, () => draw(shown))
  }
}

const hashOf = (picture: Buffer) => createHash('sha1').update(picture).digest('base64')
