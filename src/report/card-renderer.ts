import { renderAsync } from '@resvg/resvg-js'
import { type BoardPicture, drawBoard } from './board.ts'
import type { RecordCard, RoadmapCard, RoadmapSection } from './card.ts'
import { readCoverage } from './coverage.ts'
import { createFitter } from './fit.ts'
import { assertFonts, bundledFonts, type CardFonts, fontOptions } from './fonts.ts'
import { formatDay } from './numbers.ts'
import { drawPages } from './pages.ts'
import { encodePng } from './png.ts'
import { readScales, type Sheet } from './sheet.ts'
import { cleanText } from './text.ts'
import { theme } from './theme.ts'

export type CardRenderer = {
  /** Throws an `Error` in plain words when a font is missing or cannot write Persian. */
  assertFonts: () => void
  /** The result of one test as PNG pictures, 1080 pixels wide; none when no scale has a number. */
  recordCards: (card: RecordCard) => Promise<Buffer[]>
  /** The results of a roadmap, in the order of its tests; tests without numbers are left out. */
  roadmapCards: (card: RoadmapCard) => Promise<{ picture: Buffer; section: RoadmapSection }[]>
  /** Numbers for organizers as one PNG picture. */
  board: (board: BoardPicture) => Promise<Buffer>
}

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
    return encodePng(pixels, width, height)
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
      const sheet = { ...common(card, clean), overline: '', title: clean(card.title), facts, scales }
      return (await render([sheet])).map(({ picture }) => picture)
    },

    async roadmapCards(card) {
      const sheets = card.sections.flatMap((section) => {
        const scales = readScales(section.scales, card.labels, clean)
        if (scales.length === 0) return []
        const role = clean(section.role ?? '')
        const title = clean(section.title) || clean(card.title)
        const facts = role ? [{ value: role }] : []
        return [{ ...common(card, clean), overline: clean(card.title), title, facts, scales, section }]
      })
      return (await render(sheets)).map(({ picture, sheet }) => ({ picture, section: sheet.section }))
    },

    board({ language, date, rows, ...board }) {
      const title = clean(board.title)
      const cleaned = rows.map((row) => ({ ...row, label: clean(row.label) }))
      const day = formatDay(language, date)
      return paint(drawBoard({ language, title, date, day, rows: cleaned, note: clean(board.note) }, fitter))
    },
  }
}

/** What record and roadmap cards have in common. */
function common({ language, date, note, labels }: RecordCard | RoadmapCard, clean: (text: string) => string) {
  return {
    language,
    day: formatDay(language, date),
    note: clean(note),
    labels: {
      ...labels,
      percentile: clean(labels.percentile),
      noPercentile: clean(labels.noPercentile),
      score: clean(labels.score),
      page: (page: number, pages: number) => clean(labels.page(page, pages)),
    },
  }
}
