import type { Language } from '../texts/languages.ts'
import { CARD_WIDTH, type Canvas, createCanvas, theme } from './canvas.ts'
import { blockOf, type Fitter } from './fit.ts'
import { createFooter, createHeader } from './frame.ts'
import { formatDay, formatNumber, isolateCode } from './text.ts'

/** A picture of numbers for organizers: rows that begin at the reading edge, all on one scale. */
export type BarsPicture = {
  language: Language
  title: string
  date: Date
  rows: readonly BarsRow[]
  note: string
}

export type BarsRow = {
  label: string
  /** The strong bar, and the number beside it. */
  count: number
  /** The pale bar behind it: how many participants came at least this far. */
  reached?: number
  /** This row needs attention. */
  isWarning?: boolean
}

const { margin } = theme
const LABEL = { size: 30, line: 40, ascent: 29, weight: 'medium', fill: theme.ink } as const
const BAR = { height: 34, radius: 9 }
const GAP = 20
const ABOVE = 14
const BELOW = 26
const NUMBER = { size: 30, lift: 11, padding: 14 }

/** Draws the bars as one SVG picture. Every text is cleaned already. */
export function drawBars({ language, title, date, rows, note }: BarsPicture, fitter: Fitter): string {
  const canvas = createCanvas(language, 1)
  const header = createHeader({ language, title, day: formatDay(language, date) }, fitter, CARD_WIDTH)
  header.draw(canvas)
  const most = Math.max(1, ...rows.map(({ count, reached = 0 }) => Math.max(count, reached)))
  let y = header.height + ABOVE
  for (const row of rows) {
    drawRow(canvas, y, row, { language, fitter, most })
    y += LABEL.line + BAR.height + GAP
  }
  const footer = createFooter({ language, note }, fitter, CARD_WIDTH)
  footer.draw(canvas, y - GAP + BELOW)
  return canvas.svg(y - GAP + BELOW + footer.height)
}

type Drawing = { language: Language; fitter: Fitter; most: number }

function drawRow(canvas: Canvas, top: number, row: BarsRow, drawing: Drawing): void {
  const { label, count, reached = 0, isWarning = false } = row
  const { language, fitter, most } = drawing
  const width = CARD_WIDTH - 2 * margin
  blockOf(fitter, language, label, LABEL, width, 1, true).draw(canvas, margin, top)
  const barTop = top + LABEL.line
  const bar = (value: number, fill: string) => {
    if (value > 0) canvas.bar(margin, barTop, (width * value) / most, BAR.height, fill, BAR.radius)
  }
  bar(most, theme.track)
  bar(reached, theme.pale)
  bar(count, isWarning ? theme.warning : theme.accent)
  drawNumber(canvas, barTop, count, (width * count) / most, drawing)
}

/** Draws the number inside its bar where there is room, else behind it. */
function drawNumber(canvas: Canvas, barTop: number, count: number, length: number, drawing: Drawing): void {
  const { language, fitter } = drawing
  const text = isolateCode(formatNumber(language, count))
  const { size, padding, lift } = NUMBER
  const look = { size, weight: 'bold' } as const
  const isInside = length > fitter.width(text, { ...look, shape: (same) => same }) + 2 * padding
  const x = margin + (isInside ? length - padding : length + padding)
  const colour = isInside ? ({ fill: theme.paper, align: 'end' } as const) : { fill: theme.ink }
  canvas.text(x, barTop + BAR.height / 2 + lift, text, { ...look, ...colour })
}
