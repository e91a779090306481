import type { CardRenderer } from '../src/pictures/card-renderer.ts'
import { formatDay } from '../src/pictures/numbers.ts'
import type { Language, Translate } from '../src/texts/texts.ts'

/** Draws what shows the same only once: most results of the stories do. */
export function drawnOnce(cards: CardRenderer): CardRenderer {
  return {
    ...cards,
    recordCards: once(cards.recordCards),
    familyCard: once(cards.familyCard),
    board: once(cards.board),
  }
}

type Worded = { t: Translate } | { language: Language }

/** Of a date only the day is drawn, and the words depend on the language alone. */
function once<Shown extends Worded & { date: Date }, Drawn>(
  draw: (shown: Shown) => Promise<Drawn>,
): (shown: Shown) => Promise<Drawn> {
  const drawn = new Map<string, Promise<Drawn>>()
  return (shown) => {
    const { language } = 't' in shown ? shown.t : shown
    const key = JSON.stringify({ ...shown, language, date: formatDay(language, shown.date) })
    const known = drawn.get(key) ?? draw(shown)
    drawn.set(key, known)
    return known
  }
}
