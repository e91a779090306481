import { createHash } from 'node:crypto'
import type { CardRenderer } from '../src/pictures/card-renderer.ts'
import { formatDay } from '../src/pictures/text.ts'
import type { Language, Translate } from '../src/texts/texts.ts'

/** Draws what shows the same only once: most results of the stories do. */
export function drawnOnce(cards: CardRenderer): CardRenderer {
  return {
    ...cards,
    recordCards: once(cards.recordCards),
    familyCard: once(cards.familyCard),
    report: once(cards.report),
    board: once(cards.board),
  }
}

type Worded = ({ t: Translate } | { language: Language }) & { pictures?: readonly Buffer[] }

/** Of a date only the day is drawn, and the words depend on the language alone. */
function once<Shown extends Worded & { date: Date }, Drawn>(
  draw: (shown: Shown) => Promise<Drawn>,
): (shown: Shown) => Promise<Drawn> {
  const drawn = new Map<string, Promise<Drawn>>()
  return (shown) => {
    const { language } = 't' in shown ? shown.t : shown
    const pictures = shown.pictures?.map(hashOf)
    const key = JSON.stringify({ ...shown, language, date: formatDay(language, shown.date), pictures })
    const known = drawn.get(key) ?? draw(shown)
    drawn.set(key, known)
    return known
  }
}

const hashOf = (picture: Buffer) => createHash('sha1').update(picture).digest('base64')
