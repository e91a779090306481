import { createCanvas } from './canvas.ts'
import { type ChartRow, createChart } from './chart.ts'
import type { Fitter } from './fit.ts'
import { createFooter, createHeader } from './frame.ts'
import type { Sheet } from './sheet.ts'
import { theme } from './theme.ts'

const MOST_ROWS = 14
const GAP = { least: 8, natural: 26 }
const BELOW_CHART = 16

/** Turns sheets into SVG pictures. The page marks count through all of them. */
export async function drawPages(sheets: readonly Sheet[], fitter: Fitter): Promise<string[]> {
  const layouts = await Promise.all(sheets.map((sheet) => layOut(sheet, fitter)))
  const total = layouts.reduce((sum, { pages }) => sum + pages.length, 0)
  let page = 0
  return layouts.flatMap(({ pages, draw }) => pages.map((rows) => draw(rows, ++page, total)))
}

async function layOut(sheet: Sheet, fitter: Fitter) {
  const header = createHeader(sheet, fitter)
  const chart = await createChart(sheet, fitter)
  const footer = (page: number, total: number) =>
    createFooter(sheet, fitter, total > 1 ? sheet.labels.page(page, total) : '')
  // The note is never shorter beside a page mark, so this is the height that always suffices.
  const around = header.height + chart.headHeight + chart.axisHeight + BELOW_CHART + footer(1, 2).height
  const room = theme.maxHeight - around

  return {
    pages: paginate(chart.rows, room),
    draw(rows: readonly ChartRow[], page: number, total: number): string {
      const canvas = createCanvas(sheet.language)
      const free = (room - heightOf(rows, 0)) / (rows.length - 0.5)
      const gap = Math.min(GAP.natural, 2 * Math.floor(free / 2)) // even, so that bars begin on whole pixels
      header.draw(canvas, 0)
      const end = chart.draw(canvas, header.height, rows, gap) + BELOW_CHART
      const closing = footer(page, total)
      closing.draw(canvas, end)
      return canvas.svg(end + closing.height)
    },
  }
}

/** Splits rows into as few pages as hold them, each with about as many rows as the others. */
export function paginate<Row extends { height: number }>(rows: readonly Row[], room: number): Row[][] {
  for (let count = Math.ceil(rows.length / MOST_ROWS); count < rows.length; count++) {
    const pages = split(rows, count)
    if (pages.every((page) => heightOf(page, GAP.least) <= room)) return pages
  }
  return split(rows, rows.length)
}

function split<Row>(rows: readonly Row[], count: number): Row[][] {
  const edge = (page: number) => Math.ceil((page * rows.length) / count)
  return Array.from({ length: count }, (_, page) => rows.slice(edge(page), edge(page + 1)))
}

// Half a gap stands above the first row, none below the last.
const heightOf = (rows: readonly { height: number }[], gap: number) =>
  rows.reduce((sum, { height }) => sum + height + gap, -gap / 2)
