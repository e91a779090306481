import { setImmediate } from 'node:timers/promises'
import { CARD_WIDTH, createCanvas } from './canvas.ts'
import type { Sheet } from './card.ts'
import { type ChartRow, createChart } from './chart.ts'
import type { Fitter } from './fit.ts'
import { createFooter, createHeader } from './frame.ts'

const MAX_HEIGHT = 1450
/** More scales of one person would be too small on one picture. */
export const MOST_ROWS = 12
/** Pixels per unit: the fewer rows share a picture, the larger they are. */
const LARGER = [
  { zoom: 1.3, most: 6 },
  { zoom: 1.15, most: 8 },
  { zoom: 1, most: 10 },
]
const SMALLEST = 0.93
const GAP = { least: 10, easy: 22, natural: 30 }
const BELOW_CHART = 12
/** The fewer rows share a picture, the higher their hills. */
const HILLS = [
  { height: 84, most: 3 },
  { height: 68, most: 7 },
  { height: 54, most: 9 },
  { height: 44, most: Number.POSITIVE_INFINITY },
]

/** Turns a sheet into at most `most` SVG pictures. */
export async function drawPages(sheet: Sheet, fitter: Fitter, most = Infinity): Promise<string[]> {
  const { pages, draw } = await layOut(sheet, fitter)
  const shown = pages.slice(0, most)
  const drawn: string[] = []
  for (const [index, rows] of shown.entries()) {
    await setImmediate()
    drawn.push(draw(rows, index + 1, shown.length))
  }
  return drawn
}

/** Lays a sheet out as large as possible without more pages. */
async function layOut(sheet: Sheet, fitter: Fitter) {
  const { length } = sheet.scales
  const fewest = Math.ceil(length / MOST_ROWS)
  const rows = Math.ceil(length / fewest)
  for (const { zoom } of LARGER.filter(({ most }) => rows <= most)) {
    const layout = await layOutAt(zoom, sheet, fitter, GAP.easy)
    if (layout.pages.length <= fewest) return layout
  }
  return layOutAt(SMALLEST, sheet, fitter, GAP.least)
}

async function layOutAt(zoom: number, sheet: Sheet, fitter: Fitter, leastGap: number) {
  const width = CARD_WIDTH / zoom
  const header = createHeader(sheet, fitter, width)
  const { length } = sheet.scales
  const perPage = length / Math.ceil(length / MOST_ROWS)
  const hillHeight = HILLS.find(({ most }) => perPage <= most)?.height ?? 0
  const chart = await createChart(sheet, fitter, width, hillHeight)
  const hasHills = sheet.scales.some(({ percentile }) => percentile !== undefined)
  const note = hasHills ? `${sheet.labels.usual} ${sheet.note}` : sheet.note
  const footer = (page: number, total: number) =>
    createFooter({ ...sheet, note }, fitter, width, total > 1 ? sheet.labels.page(page, total) : '')
  const around = header.height + chart.headHeight + chart.endHeight + BELOW_CHART + footer(1, 2).height
  const room = MAX_HEIGHT / zoom - around

  return {
    pages: paginate(chart.rows, room, leastGap),
    draw(rows: readonly ChartRow[], page: number, total: number): string {
      const canvas = createCanvas(sheet.language, zoom)
      const free = (room - heightOf(rows, 0)) / (rows.length - 0.5)
      const gap = Math.floor(Math.min(GAP.natural, free))
      header.draw(canvas)
      const end = chart.draw(canvas, header.height, rows, gap) + BELOW_CHART
      const closing = footer(page, total)
      closing.draw(canvas, end)
      return canvas.svg(end + closing.height)
    },
  }
}

/** Splits rows into as few pages as possible, with about the same number of rows on each. */
export function paginate<Row extends { height: number }>(
  rows: readonly Row[],
  room: number,
  leastGap: number,
): Row[][] {
  for (let count = Math.ceil(rows.length / MOST_ROWS); count < rows.length; count++) {
    const pages = split(rows, count)
    if (pages.every((page) => heightOf(page, leastGap) <= room)) return pages
  }
  return split(rows, rows.length)
}

function split<Row>(rows: readonly Row[], count: number): Row[][] {
  const edge = (page: number) => Math.ceil((page * rows.length) / count)
  return Array.from({ length: count }, (_, page) => rows.slice(edge(page), edge(page + 1)))
}

// There is half a gap above the first row, and none below the last.
const heightOf = (rows: readonly { height: number }[], gap: number) =>
  rows.reduce((sum, { height }) => sum + height + gap, -gap / 2)
