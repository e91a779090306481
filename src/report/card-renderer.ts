import { renderAsync } from '@resvg/resvg-js'
import { type BoardPicture, drawBoard } from './board.ts'
import {
  type CardLabels,
  type ComparedTest,
  LARGEST_ALBUM,
  type RecordCard,
  type RoadmapCard,
  type RoadmapSection,
} from './card.ts'
import { readCoverage } from './coverage.ts'
import { createFitter } from './fit.ts'
import { assertFonts, bundledFonts, type CardFonts, fontOptions } from './fonts.ts'
import { formatDay } from './numbers.ts'
import { drawPages, MOST_ROWS } from './pages.ts'
import { encodePng } from './png.ts'
import { hasFigure, readCompared, readScales, type Sheet } from './sheet.ts'
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
  async function render<S extends Sheet>(
    sheets: S[],
    most: number,
  ): Promise<{ picture: Buffer; sheet: S }[]> {
    const pictures = []
    for (const { svg, sheet } of await drawPages(sheets, fitter, most))
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

    async recordCards({ most = LARGEST_ALBUM, ...card }) {
      const scales = readScales(card.scales.slice(0, most * MOST_ROWS), card.labels, clean)
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
      return (await render([sheet], most)).map(({ picture }) => picture)
    },

    async roadmapCards({ most = LARGEST_ALBUM, ...card }) {
      const pictures = await render(roadmapSheets(card, most, clean), most)
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

/** The sheets of a roadmap, each with what it shows: no more than pictures are drawn. */
function roadmapSheets(
  card: RoadmapCard,
  most: number,
  clean: (text: string) => string,
): (Sheet & Pick<RoadmapPicture, 'of'>)[] {
  const shared = { ...common(card, clean), overline: clean(card.title) }
  const rows = most * MOST_ROWS
  const sections: RoadmapSection[] = []
  for (const section of card.sections) {
    if (sections.length === most) break
    if (section.scales.slice(0, rows).some(hasFigure)) sections.push(section)
  }
  const compared = card.compared.slice(0, most - sections.length)
  const sheetsOfSections = sections.map((of) => {
    const scales = readScales(of.scales.slice(0, rows), card.labels, clean)
    const role = clean(of.role ?? '')
    const title = clean(of.title) || clean(card.title)
    return { ...shared, title, facts: role ? [{ value: role }] : [], content: { scales }, of }
  })
  const sheetsOfCompared = compared.flatMap((of) => {
    const scales = readCompared({ ...of, scales: of.scales.slice(0, rows) }, card.labels, clean)
    if (scales.length === 0) return []
    const people = of.people.map(clean)
    const facts = [{ value: clean(card.labels.together) }]
    return [{ ...shared, title: clean(of.title), facts, content: { people, compared: scales }, of }]
  })
  return [...sheetsOfSections, ...sheetsOfCompared]
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
    caseNumber: clean(labels.caseNumber),
    untitled: labels.untitled,
    page: (page, pages) => clean(labels.page(page, pages)),
    together: clean(labels.together),
  }
}
