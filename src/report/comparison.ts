import { setImmediate } from 'node:timers/promises'
import type { Canvas, Point } from './canvas.ts'
import { type Chart, type ChartRow, drawRows, HEAD, TITLE } from './chart.ts'
import type { Fitter } from './fit.ts'
import { AXIS_HEIGHT, drawAxis, drawHill, drawMark } from './hill.ts'
import { createScoreColumn } from './score-column.ts'
import type { ComparedScale, Sheet, SheetMark } from './sheet.ts'
import { isolate } from './text.ts'
import { theme } from './theme.ts'

const { margin, small, ink, muted } = theme
const LANE = { height: 50, size: 28, lift: 10 }
const NAMES = { widest: 300, gap: 22 }
const GAP = 28
const BELOW_TITLE = 6
const BELOW_LIST = 10
const LOOK = { size: small, fill: muted }
const HEAD_STYLE = { weight: 'regular', size: small } as const

/** Lays scales out that several people have: one hill for all, and everybody's mark in a lane of their own. */
export async function createComparison(
  sheet: Sheet,
  { people, compared }: { people: readonly string[]; compared: readonly ComparedScale[] },
  fitter: Fitter,
  { pageWidth }: { pageWidth: number },
): Promise<Chart> {
  const { language, labels } = sheet
  const marks = compared.flatMap((scale) => scale.marks.flatMap((mark) => mark ?? []))
  const columns = measure(sheet, { people, marks }, fitter, pageWidth)
  const { shape, hasHills, column, left, width, x } = columns
  const headWidth = pageWidth - 2 * margin - column.width - GAP
  const head = hasHills ? fitter.lines(labels.percentile, { ...HEAD_STYLE, shape }, headWidth, 3) : []
  const headHeight = HEAD.above + Math.max(1, head.length) * HEAD.line + HEAD.below
  const endHeight = hasHills ? AXIS_HEIGHT : BELOW_LIST
  const rows: ChartRow[] = []
  for (const scale of compared) {
    await setImmediate()
    rows.push(rowOf(sheet, scale, fitter, columns))
  }
  return {
    headHeight,
    endHeight,
    rows,
    draw(canvas, top, shown, gap) {
      const y = top + HEAD.above + HEAD.ascent
      for (const [index, line] of head.entries())
        canvas.text(margin, y + index * HEAD.line, shape(line), LOOK)
      if (column.width) canvas.text(x, y, shape(labels.score), { ...LOOK, align: 'middle' })
      const end = drawRows(canvas, top + headHeight + gap / 2, shown, { gap, between: undefined })
      if (hasHills) drawAxis(canvas, language, { left, width }, end)
      return end + endHeight
    },
  }
}

type Columns = ReturnType<typeof measure>

/** Names, hills and scores beside each other, the same on all pages. */
function measure(
  sheet: Sheet,
  { people, marks }: { people: readonly string[]; marks: readonly SheetMark[] },
  fitter: Fitter,
  pageWidth: number,
) {
  const shape = (text: string) => isolate(sheet.language, text)
  const hasHills = marks.some(({ percentile }) => percentile !== undefined)
  const column = createScoreColumn(sheet, marks, fitter)
  const style = { weight: 'medium', size: LANE.size, shape } as const
  const longest = Math.ceil(Math.max(...people.map((name) => fitter.width(name, style))))
  const room = pageWidth - 2 * margin - column.width - GAP
  const nameWidth = hasHills ? Math.min(NAMES.widest, longest) : room
  const names = people.map((name) => fitter.line(name, style, nameWidth))
  const left = margin + nameWidth + NAMES.gap
  const width = pageWidth - margin - left - (column.width ? column.width + GAP : 0)
  const x = pageWidth - margin - column.width / 2
  return { shape, hasHills, column, names, left, width, x, pageWidth }
}

function rowOf(sheet: Sheet, { title, marks }: ComparedScale, fitter: Fitter, columns: Columns): ChartRow {
  const { shape, names, left, width, pageWidth } = columns
  const style = { weight: 'bold', size: TITLE.size, shape } as const
  const lines = fitter.lines(title, style, pageWidth - 2 * margin, 2)
  const titleHeight = lines.length * TITLE.line + BELOW_TITLE
  const isHill = marks.some((mark) => mark?.percentile !== undefined)
  const height = names.length * LANE.height
  return {
    title: lines,
    height: titleHeight + height,
    draw(canvas, top) {
      for (const [index, line] of lines.entries()) {
        const y = top + index * TITLE.line + TITLE.ascent
        canvas.text(margin, y, shape(line), { size: TITLE.size, weight: 'bold', fill: ink })
      }
      const ground = { left, width, top: top + titleHeight, height }
      if (isHill) drawHill(canvas, ground)
      for (const [index, name] of names.entries()) {
        const laneTop = ground.top + index * LANE.height
        drawLane(canvas, sheet, { name, mark: marks[index], top: laneTop }, columns)
      }
    },
  }
}

function drawLane(
  canvas: Canvas,
  { language, labels }: Sheet,
  { name, mark, top }: { name: string; mark: SheetMark | undefined; top: number },
  { shape, left, width, x, column, hasHills }: Columns,
): void {
  const { height, size, lift } = LANE
  const middle = top + height / 2
  const y = middle + lift
  canvas.text(margin, y, shape(name), { size, weight: 'medium', fill: ink })
  if (!mark) {
    canvas.text(x, y, '–', { size, fill: muted, align: 'middle' })
    return
  }
  const { percentile } = mark
  const ground = { left, width, top: top - (height - 36) / 2, height }
  const ends: [Point, Point] = [
    [left, middle],
    [left + width, middle],
  ]
  if (hasHills) canvas.line(ends, theme.outline, 1.5, '2 7')
  if (percentile !== undefined) drawMark(canvas, language, ground, percentile, 'plate')
  else if (hasHills) canvas.text(left, y, shape(labels.noPercentile), LOOK)
  column.draw(canvas, mark, { x, middle, isMain: !hasHills })
}
