import { renderAsync } from '@resvg/resvg-js'
import { type BarsPicture, drawBars } from './bars.ts'
import { theme } from './canvas.ts'
import {
  cardLabels,
  type FamilyCard,
  hasNumber,
  type RecordCard,
  type ReportCard,
  readMark,
  readScales,
} from './card.ts'
import { drawFamily, type FamilyRow, type FamilySheet } from './family.ts'
import { createFitter } from './fit.ts'
import { assertFonts, bundledFonts, type CardFonts, fontOptions } from './fonts.ts'
import { drawPages, MOST_ROWS } from './pages.ts'
import { encodePdf } from './pdf.ts'
import { encodePng } from './png.ts'
import { drawReport } from './report.ts'
import { cleanText, formatDay } from './text.ts'

/** More columns are not readable on a phone, and more rows never fit. */
const MOST_PEOPLE = 8
const MOST_FAMILY_ROWS = 40
/** For one result, where the caller sets no limit. */
const MOST_PICTURES = 10

export type CardRenderer = ReturnType<typeof createCardRenderer>

const PLAIN = Object.values(theme).filter((value) => typeof value === 'string')

/** Draws result cards. Drawing and compressing happen in the thread pool. */
export function createCardRenderer({ fonts = bundledFonts() }: { fonts?: CardFonts } = {}) {
  const fitter = createFitter(fonts)
  const options = { ...fontOptions(Object.values(fonts)), background: theme.paper }

  async function paint(svg: string): Promise<Buffer> {
    const { pixels, width, height } = await renderAsync(svg, options)
    return encodePng(pixels, width, height, PLAIN)
  }

  return {
    /** Throws an `Error` in plain words when a font is missing or cannot be drawn with. */
    assertFonts: () => assertFonts(fonts),

    /** The result of one test as PNG pictures, 1080 pixels wide; none when no scale has a number. */
    async recordCards({ most = MOST_PICTURES, ...card }: RecordCard): Promise<Buffer[]> {
      const shared = common(card)
      const scales = readScales(card.scales.slice(0, most * MOST_ROWS), shared.labels)
      if (scales.length === 0) return []
      const { earlierDate } = card
      const then = earlierDate && formatDay(card.t.language, earlierDate)
      const thenAndNow = then && shared.labels.thenAndNow(shared.day, then)
      const sheet = { ...shared, scales, thenAndNow }
      // One after another: the thread pool also serves files and name look-ups.
      const pictures: Buffer[] = []
      for (const svg of await drawPages(sheet, fitter, most)) pictures.push(await paint(svg))
      return pictures
    },

    /** The results of a roadmap as one picture of all its people; `undefined` where there is no number. */
    async familyCard(card: FamilyCard): Promise<Buffer | undefined> {
      const sheet = familySheet(card)
      return sheet && paint(await drawFamily(sheet, fitter))
    },

    /** The words of a result as a PDF, after the result's pictures. */
    async report({ lines, pictures, ...card }: ReportCard): Promise<Buffer> {
      const shared = common(card)
      const cleaned = lines
        .map((line) => ({ ...line, text: cleanText(line.text) }))
        .filter(({ text }) => text)
      const sheet = { ...shared, lines: cleaned, before: pictures.length }
      const pages = [...pictures]
      for (const svg of await drawReport(sheet, fitter)) pages.push(await paint(svg))
      return encodePdf(pages, shared.title)
    },

    /** Numbers for organizers as one PNG picture. */
    bars({ title, rows, note, ...picture }: BarsPicture): Promise<Buffer> {
      const cleaned = rows.map((row) => ({ ...row, label: cleanText(row.label) }))
      return paint(
        drawBars({ ...picture, title: cleanText(title), rows: cleaned, note: cleanText(note) }, fitter),
      )
    },
  }
}

/** A family as it will be drawn; `undefined` where there is no number. */
function familySheet(card: FamilyCard): FamilySheet | undefined {
  const { people } = card
  const shared = common(card)
  const shownTests = card.tests.slice(0, MOST_FAMILY_ROWS)
  const tests = shownTests.map(({ title, scales }) => ({
    title: cleanText(title),
    scales: scales.slice(0, MOST_FAMILY_ROWS).flatMap((scale, index): FamilyRow[] => {
      const title = cleanText(scale.title ?? '') || shared.labels.untitled(index + 1)
      const marks = scale.marks.slice(0, MOST_PEOPLE).map((mark) => mark && readMark(mark))
      return marks.some((mark) => mark && hasNumber(mark)) ? [{ title, marks }] : []
    }),
  }))
  const drawn = tests.filter(({ scales }) => scales.length > 0)
  if (drawn.length === 0) return undefined
  const isCut = people.length > MOST_PEOPLE || shownTests.length < card.tests.length
  return {
    ...shared,
    people: people.slice(0, MOST_PEOPLE).map(cleanText),
    tests: drawn,
    isCut,
  }
}

/** What the cards of records and roadmaps and the report have in common. */
function common({ t, date, note, title, caseNumber = '' }: Omit<RecordCard, 'scales'>) {
  const labels = cardLabels(t)
  const value = cleanText(caseNumber)
  return {
    language: t.language,
    day: formatDay(t.language, date),
    title: cleanText(title),
    fact: value ? { label: labels.caseNumber, value } : undefined,
    note: cleanText(note),
    labels,
  }
}
