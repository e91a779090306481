import { setImmediate } from 'node:timers/promises'
import type { Canvas } from './canvas.ts'
import type { Fitter } from './fit.ts'
import { AXIS_HEIGHT, drawAxis, drawHill, drawMark } from './hill.ts'
import { createScoreColumn } from './score-column.ts'
import type { Sheet, SheetScale } from './sheet.ts'
import { isolate } from './text.ts'
import { theme } from './theme.ts'

/** The scales of one sheet as rows; columns are the same on all its pages. */
export type Chart = {
  headHeight: number
  endHeight: number
  rows: ChartRow[]
  /** Draws the heads, the given rows `gap` apart and the axis; answers where it ends. */
  draw: (canvas: Canvas, top: number, rows: readonly ChartRow[], gap: number) => number
}

export type ChartRow = {
  title: string[]
  height: number
  draw: (canvas: Canvas, top: number, lift: number) => void
}

const { margin, small, ink, muted } = theme
export const HEAD = { above: 10, line: 36, ascent: 27, below: 4 }
export const TITLE = { size: 30, line: 36, ascent: 27 }
const ABOVE_HILL = 4
/** Between rows that lie far apart a title keeps some distance from its hill, too. */
const LIFT = 6
const BELOW_LIST = 10
const GAP = 28

/** Lays the scales out: title above hill, score at the side; without any place a list of titles and scores. */
export async function createChart(
  sheet: Sheet,
  scales: readonly SheetScale[],
  fitter: Fitter,
  { pageWidth, hillHeight }: { pageWidth: number; hillHeight: number },
): Promise<Chart> {
  const { language, labels } = sheet
  const shape = (text: string) => isolate(language, text)
  const content = pageWidth - 2 * margin
  const hasHills = scales.some(({ percentile }) => percentile !== undefined)
  const column = createScoreColumn(sheet, scales, fitter)
  const width = content - (column.width ? column.width + GAP : 0)
  const x = pageWidth - margin - column.width / 2
  const headStyle = { weight: 'regular', size: small, shape } as const
  const head = hasHills ? fitter.lines(labels.percentile, headStyle, width, 3) : []
  const look = { size: small, fill: muted }

  function rowOf(scale: SheetScale): ChartRow {
    const style = { weight: 'medium', size: TITLE.size, shape } as const
    const title = fitter.lines(scale.title, style, width, 2)
    const titleHeight = title.length * TITLE.line
    const drawing = hasHills ? titleHeight + ABOVE_HILL + hillHeight : titleHeight
    const height = Math.max(drawing, column.height)

    return {
      title,
      height,
      draw(canvas, top, lift) {
        for (const [index, line] of title.entries()) {
          const y = top - (hasHills ? lift : 0) + index * TITLE.line + TITLE.ascent
          canvas.text(margin, y, shape(line), { size: TITLE.size, fill: ink, weight: 'medium' })
        }
        if (hasHills) {
          const ground = { left: margin, width, top: top + height - hillHeight, height: hillHeight }
          const { percentile } = scale
          if (percentile === undefined) canvas.text(margin, ground.top + 30, shape(labels.noPercentile), look)
          else {
            drawHill(canvas, ground, percentile)
            drawMark(canvas, language, ground, percentile)
          }
        }
        column.draw(canvas, scale, { x, middle: top + height / 2, isMain: !hasHills })
      },
    }
  }

  const rows: ChartRow[] = []
  for (const scale of scales) {
    await setImmediate() // breaking a long title for the first time takes some milliseconds
    rows.push(rowOf(scale))
  }

  const headHeight = HEAD.above + Math.max(1, head.length) * HEAD.line + HEAD.below
  const endHeight = hasHills ? AXIS_HEIGHT : BELOW_LIST
  return {
    headHeight,
    endHeight,
    rows,
    draw(canvas, top, shown, gap) {
      const y = top + HEAD.above + HEAD.ascent
      for (const [index, line] of head.entries())
        canvas.text(margin, y + index * HEAD.line, shape(line), look)
      if (column.width) canvas.text(x, y, shape(labels.score), { ...look, align: 'middle' })
      const between = hasHills ? undefined : { left: margin, width: content }
      const end = drawRows(canvas, top + headHeight + gap / 2, shown, { gap, between })
      if (hasHills) drawAxis(canvas, language, { left: margin, width }, end)
      return end + endHeight
    },
  }
}

/** Draws rows one below the other, with a hairline between them where that helps; answers where the last one ends. */
export function drawRows(
  canvas: Canvas,
  top: number,
  rows: readonly ChartRow[],
  { gap, between }: { gap: number; between: { left: number; width: number } | undefined },
): number {
  let y = top
  for (const [index, row] of rows.entries()) {
    row.draw(canvas, y, Math.min(LIFT, gap / 4))
    y += row.height + gap
    if (between && index < rows.length - 1)
      canvas.rect(between.left, y - gap / 2, between.width, 2, theme.hairline)
  }
  return y - gap
}
