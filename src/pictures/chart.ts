import { setImmediate } from 'node:timers/promises'
import type { Canvas } from './canvas.ts'
import type { Fitter } from './fit.ts'
import { AXIS_HEIGHT, drawAxis, drawHill, drawMark } from './hill.ts'
import { formatNumber } from './numbers.ts'
import type { Sheet, SheetMark, SheetScale } from './sheet.ts'
import { isolate, isolateCode } from './text.ts'
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
const SCORE = { size: 32, narrowest: 120, widest: 250, line: 40 }
const ABOVE_HILL = 4
/** Between rows that lie far apart a title keeps some distance from its hill, too. */
const LIFT = 6
const BELOW_LIST = 10
const GAP = 28

/** Lays the scales out: title above hill, score at the side; without any place a list of titles and scores. */
export async function createChart(
  sheet: Sheet,
  fitter: Fitter,
  { pageWidth, hillHeight }: { pageWidth: number; hillHeight: number },
): Promise<Chart> {
  const { language, labels, scales } = sheet
  const shape = (text: string) => isolate(language, text)
  const content = pageWidth - 2 * margin
  const hasHills = scales.some(({ percentile }) => percentile !== undefined)
  const column = createScoreColumn(sheet, fitter)
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
      let rowTop = top + headHeight + gap / 2
      for (const [index, row] of shown.entries()) {
        if (!hasHills && index > 0) canvas.rect(margin, rowTop - gap / 2, content, 2, theme.hairline)
        row.draw(canvas, rowTop, Math.min(LIFT, gap / 4))
        rowTop += row.height + gap
      }
      const end = rowTop - gap
      if (hasHills) drawAxis(canvas, language, { left: margin, width }, end)
      return end + endHeight
    },
  }
}

/** The scores at the side, as wide as the longest of them; 0 where nobody has a score. */
function createScoreColumn({ language, scales }: Sheet, fitter: Fitter) {
  const write = (value: number) => formatNumber(language, value)
  const scores = scales.flatMap(({ score }) => (score === undefined ? [] : [write(score)]))
  const longest = scores.reduce((a, b) => (b.length > a.length ? b : a), '')
  if (!longest) return { width: 0, height: 0, draw: () => undefined }
  const natural = fitter.width(longest, { weight: 'bold', size: SCORE.size, shape: isolateCode })
  const width = Math.min(SCORE.widest, Math.max(SCORE.narrowest, Math.ceil(natural)))
  const size = Math.max(small, Math.min(SCORE.size, Math.floor((SCORE.size * width) / natural)))
  return {
    width,
    height: SCORE.line,
    draw(canvas: Canvas, { score }: SheetMark, at: { x: number; middle: number; isMain: boolean }) {
      const look = {
        size,
        weight: at.isMain ? 'bold' : 'medium',
        fill: score === undefined ? muted : ink,
        align: 'middle',
      } as const
      canvas.text(at.x, at.middle + size * 0.34, score === undefined ? '–' : isolateCode(write(score)), look)
    },
  }
}
