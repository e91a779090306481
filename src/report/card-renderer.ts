import { renderAsync } from '@resvg/resvg-js'
import { type BoardPicture, drawBoard } from './board.ts'
import type { CardLabels, ComparedTest, RecordCard, RoadmapCard, RoadmapSection } from './card.ts'
import { readCoverage } from './coverage.ts'
import { createFitter } from './fit.ts'
import { assertFonts, bundledFonts, type CardFonts, fontOptions } from './fonts.ts'
import { formatDay } from './numbers.ts'
import { drawPages } from './pages.ts'
import { encodePng } from './png.ts'
import { readCompared, readScales, type Sheet } from './sheet.ts'
import { cleanText } from './text.ts'
import { theme } from './theme.ts'

/** A picture of a roadmap, and what it shows. */
export type RoadmapPicture = { picture: Buffer; of: RoadmapSection | ComparedTest }

export type CardRenderer = {
  /** Throws an `Error` in plain words when a font is missing or cannot write Persian. */
  assertFonts: () => void
  /** The result of one test as PNG pictures, 1080 pixels wide; none when no scale has a number. */
  recordCards: (card: RecordCard) => Promise<Buffer[]>
  /** The results of a roadmap: its tests in order, then what can be compared; what has no numbers is left out. */
  roadmapCards: (card: RoadmapCard) => Promise<RoadmapPicture[]>
  /** Numbers for organizers as one PNG picture. */
  board: (board: BoardPicture) => Promise<Buffer>
}

const PLAIN = Object.values(theme).filter((value) => typeof value === 'string')

/** Draws result cards. Drawing and compressing happen in the thread pool. */
export function createCardRenderer({ fonts = bundledFonts() }: { fonts?: CardFonts } = {}): CardRenderer {
  const fitter = createFitter(fonts)
  const options = { ...fontOptions(Object.values(fonts)), background: theme.paper }
  let covers: ((character: string) => boolean) | undefined
  let areFontsGood = false

  function clean(text: string) {
    covers ??= readCoverage(fonts.regular)
    return cleanText(text, covers)
  }

  // One after another: the thread pool also serves files and name look-ups.
  async function render<S extends Sheet>(sheets: S[]): Promise<{ picture: Buffer; sheet: S }[]> {
    const pictures = []
    for (const { svg, sheet } of await drawPages(sheets, fitter))
      pictures.push({ picture: await paint(svg), sheet })
    return pictures
  }

  async function paint(svg: string): Promise<Buffer> {
    const { pixels, width, height } = await renderAsync(svg, options)
    return encodePng(pixels, width, height, PLAIN)
  }

  return {
    assertFonts() {
      if (!areFontsGood) assertFonts(fonts)
      areFontsGood = true
    },

    async recordCards(card) {
      const scales = readScales(card.scales, card.labels, clean)
      if (scales.length === 0) return []
      const name = clean(card.name ?? '')
      const caseNumber = clean(card.caseNumber ?? '')
      const facts = [
        ...(name ? [{ value: name }] : []),
        ...(caseNumber ? [{ label: clean(card.labels.caseNumber), value: caseNumber }] : []),
      ]
      const sheet = {
        ...common(card, clean),
        overline: '',
        title: clean(card.title),
        facts,
        content: { scales },
      }
      return (await render([sheet])).map(({ picture }) => picture)
    },

    async roadmapCards(card) {
      const pictures = await render(roadmapSheets(card, clean))
      return pictures.map(({ picture, sheet }) => ({ picture, of: sheet.of }))
    },

    board({ language, date, rows, ...board }) {
      const title = clean(board.title)
      const cleaned = rows.map((row) => ({ ...row, label: clean(row.label) }))
      const day = formatDay(language, date)
      return paint(drawBoard({ language, title, date, day, rows: cleaned, note: clean(board.note) }, fitter))
    },
  }
}

/** The sheets of a roadmap, each with what it shows. */
function roadmapSheets(
  card: RoadmapCard,
  clean: (text: string) => string,
): (Sheet & Pick<RoadmapPicture, 'of'>)[] {
  const shared = { ...common(card, clean), overline: clean(card.title) }
  const compared = card.compared.flatMap((of) => {
    const scales = readCompared(of, card.labels, clean)
    if (scales.length === 0) return []
    const people = of.people.map(clean)
    const facts = [{ value: clean(card.labels.together) }]
    return [{ ...shared, title: clean(of.title), facts, content: { people, compared: scales }, of }]
  })
  const sections = card.sections.flatMap((of) => {
    const scales = readScales(of.scales, card.labels, clean)
    if (scales.length === 0) return []
    const role = clean(of.role ?? '')
    const title = clean(of.title) || clean(card.title)
    return [{ ...shared, title, facts: role ? [{ value: role }] : [], content: { scales }, of }]
  })
  return [...sections, ...compared]
}

/** What record and roadmap cards have in common. */
function common({ language, date, note, labels }: RecordCard | RoadmapCard, clean: (text: string) => string) {
  return {
    language,
    day: formatDay(language, date),
    note: clean(note),
    labels: cleanLabels(labels, clean),
  }
}

function cleanLabels(labels: CardLabels, clean: (text: string) => string): CardLabels {
  return {
    percentile: clean(labels.percentile),
    noPercentile: clean(labels.noPercentile),
    score: clean(labels.score),
    of: (max) => clean(labels.of(max)),
    between: (min, max) => clean(labels.between(min, max)),
    usual: (low, high) => clean(labels.usual(low, high)),
    favourable: clean(labels.favourable),
    place: labels.place,
    pointed: clean(labels.pointed),
    caseNumber: clean(labels.caseNumber),
    untitled: labels.untitled,
    page: (page, pages) => clean(labels.page(page, pages)),
    together: clean(labels.together),
  }
}
