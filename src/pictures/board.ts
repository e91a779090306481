import type { Language } from '../texts/languages.ts'
import { CARD_WIDTH, type Canvas, createCanvas } from './canvas.ts'
import type { Fitter } from './fit.ts'
import { createFooter } from './footer.ts'
import { createHeader } from './header.ts'
import { formatNumber } from './numbers.ts'
import { isolate, isolateCode } from './text.ts'
import { theme } from './theme.ts'

/** A picture of numbers for organizers: rows that begin where reading begins, all on one scale. */
export type BoardPicture = {
  language: Language
  title: string
  date: Date
  rows: readonly BoardRow[]
  note: string
}

export type BoardRow = {
  label: string
  /** The strong bar, and the number beside it. */
  count: number
  /** The pale bar behind it: how many came at least so far. */
  reached?: number
  /** Somebody should look here. */
  isWarning?: boolean
}

const { margin } = theme
const LABEL = { size: 30, line: 40, ascent: 29 }
const BAR = { height: 34, radius: 9 }
const GAP = 20
const ABOVE = 14
const BELOW = 26
const NUMBER = { size: 30, lift: 11, padding: 14 }

/** Draws a board as one SVG picture; every text is cleaned already. */
export function drawBoard(board: BoardPicture & { day: string }, fitter: Fitter): string {
  const { language, title, day, rows, note } = board
  const canvas = createCanvas(language, 1)
  const header = createHeader({ language, title, day }, fitter, CARD_WIDTH)
  header.draw(canvas)
  const most = Math.max(1, ...rows.map(({ count, reached = 0 }) => Math.max(count, reached)))
  let y = header.height + ABOVE
  for (const row of rows) {
    drawRow(canvas, y, row, { language, fitter, most })
    y += LABEL.line + BAR.height + GAP
  }
  const footer = createFooter({ language, note }, fitter, CARD_WIDTH, '')
  footer.draw(canvas, y - GAP + BELOW)
  return canvas.svg(y - GAP + BELOW + footer.height)
}

function drawRow(
  canvas: Canvas,
  top: number,
  { label, count, reached = 0, isWarning = false }: BoardRow,
  { language, fitter, most }: { language: Language; fitter: Fitter; most: number },
): void {
  const shape = (text: string) => isolate(language, text)
  const width = CARD_WIDTH - 2 * margin
  const style = { weight: 'medium', size: LABEL.size, shape } as const
  const line = shape(fitter.fresh(label, style, width, 1)[0] ?? '')
  canvas.text(margin, top + LABEL.ascent, line, { size: LABEL.size, weight: 'medium', fill: theme.ink })
  const barTop = top + LABEL.line
  const strong = isWarning ? theme.warning : theme.accent
  const bar = (value: number, fill: string) => {
    if (value > 0) canvas.bar(margin, barTop, (width * value) / most, BAR.height, fill, BAR.radius)
  }
  canvas.bar(margin, barTop, width, BAR.height, theme.track, BAR.radius)
  bar(reached, theme.pale)
  bar(count, strong)
  drawNumber(canvas, barTop, count, { language, fitter, length: (width * count) / most })
}

/** Inside its bar where there is room, else behind it. */
function drawNumber(
  canvas: Canvas,
  barTop: number,
  count: number,
  { language, fitter, length }: { language: Language; fitter: Fitter; length: number },
): void {
  const text = isolateCode(formatNumber(language, count))
  const { size, padding, lift } = NUMBER
  const isInside = length > fitter.width(text, { weight: 'bold', size, shape: (same) => same }) + 2 * padding
  canvas.text(
    margin + (isInside ? length - padding : length + padding),
    barTop + BAR.height / 2 + lift,
    text,
    { size, weight: 'bold', ...(isInside ? { fill: theme.paper, align: 'end' } : { fill: theme.ink }) },
  )
}
