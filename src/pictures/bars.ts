import type { Language } from '../texts/languages.ts'
import { CARD_WIDTH, type Canvas, createCanvas, theme } from './canvas.ts'
import { blockOf, type Fitter } from './fit.ts'
import { createFooter, createHeader } from './frame.ts'
import { formatDay } from './text.ts'

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
  /** The strong bar, and the number at the end of the line. */
  count: number
  /** The pale bar behind it: how many participants came at least this far. */
  reached?: number
  /** This row needs attention. */
  isWarning?: boolean
}

const { margin } = theme
const LABEL = { size: 30, line: 40, ascent: 29, weight: 'medium', fill: theme.ink } as const
const BAR_HEIGHT = 34
/** The room for a number at the end of its label's line. */
const NUMBER_WIDTH = 150
const GAP = 20
const ABOVE = 14
const BELOW = 26

/** Draws the bars as one SVG picture. Every text is cleaned already. */
export function drawBars({ language, title, date, rows, note }: BarsPicture, fitter: Fitter): string {
  const canvas = createCanvas(language, 1)
  const header = createHeader({ language, title, day: formatDay(language, date) }, fitter, CARD_WIDTH)
  header.draw(canvas)
  const most = Math.max(1, ...rows.map(({ count, reached = 0 }) => Math.max(count, reached)))
  let y = header.height + ABOVE
  for (const row of rows) {
    drawRow(canvas, y, row, { language, fitter, most })
    y += LABEL.line + BAR_HEIGHT + GAP
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
  blockOf(fitter, language, label, LABEL, width - NUMBER_WIDTH, 1, true).draw(canvas, margin, top)
  const barTop = top + LABEL.line
  const bar = (value: number, fill: string) => {
    if (value > 0) canvas.rect(margin, barTop, (width * value) / most, BAR_HEIGHT, fill)
  }
  bar(most, theme.track)
  bar(reached, theme.pale)
  bar(count, isWarning ? theme.warning : theme.accent)
  canvas.number(CARD_WIDTH - margin, top + LABEL.ascent, count, { ...LABEL, weight: 'bold', align: 'end' })
}
