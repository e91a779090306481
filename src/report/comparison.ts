import type { Canvas } from './canvas.ts'
import { type Chart, type ChartRow, drawRows, HEAD, TITLE } from './chart.ts'
import type { Fitter } from './fit.ts'
import { AXIS_HEIGHT, drawAxis, drawHill, drawMark } from './hill.ts'
import { drawRange, hasRange } from './range-bar.ts'
import { createScoreColumn, rangesOf } from './score-column.ts'
import type { ComparedScale, Sheet, SheetMark } from './sheet.ts'
import { drawFavourable } from './standing.ts'
import { isolate } from './text.ts'
import { theme } from './theme.ts'

const { margin, small, ink, muted } = theme
const LANE = { height: 50, size: 28, lift: 10 }
const NAMES = { widest: 300, gap: 22 }
const GAP = 28
const BELOW_TITLE = 6
/** The word for the favourable end stands above the lanes. */
const ABOVE_LANES = 26
const BELOW_LIST = 10

/** Lays scales out that several people have: one hill for all, and everybody's mark in a lane of their own. */
export function createComparison(
  sheet: Sheet,
  { people, compared }: { people: readonly string[]; compared: readonly ComparedScale[] },
  fitter: Fitter,
  { pageWidth }: { pageWidth: number },
): Chart {
  const { language, labels } = sheet
  const shape = (text: string) => isolate(language, text)
  const marks = compared.flatMap((scale) => scale.marks.flatMap((mark) => mark ?? []))
  const hasHills = marks.some(({ percentile }) => percentile !== undefined)
  const hasPlaces = hasHills || marks.some(hasRange)
  const column = createScoreColumn(sheet, marks, fitter, true)
  const content = pageWidth - 2 * margin
  const nameStyle = { weight: 'medium', size: LANE.size, shape } as const
  const longest = Math.max(...people.map((name) => fitter.width(name, nameStyle)))
  const nameWidth = hasPlaces ? Math.min(NAMES.widest, Math.ceil(longest)) : content - column.width - GAP
  const names = people.map((name) => fitter.line(name, nameStyle, nameWidth))
  const left = margin + nameWidth + NAMES.gap
  const width = pageWidth - margin - left - (column.width ? column.width + GAP : 0)
  const x = pageWidth - margin - column.width / 2
  const headStyle = { weight: 'regular', size: small, shape } as const
  const headWidth = content - column.width - GAP
  const words = [
    ...(hasHills ? [labels.percentile] : []),
    ...(marks.some(({ asksForCare }) => asksForCare) ? [labels.pointed] : []),
  ]
  const head = words.flatMap((text) => fitter.lines(text, headStyle, headWidth, 3))
  const look = { size: small, fill: muted }

  function drawLane(
    canvas: Canvas,
    mark: SheetMark | undefined,
    { top, height }: { top: number; height: number },
  ) {
    const middle = top + height / 2
    if (!mark)
      return canvas.text(x, middle + LANE.lift, '–', { size: LANE.size, fill: muted, align: 'middle' })
    const { percentile, asksForCare } = mark
    const ground = { left, width, top: top - (height - 36) / 2, height }
    if (percentile !== undefined) drawMark(canvas, language, ground, { percentile, asksForCare }, 'plate')
    else if (hasRange(mark))
      drawRange(canvas, { ...ground, top: top - (height - 34) / 2 }, { ...mark, usual: undefined })
    else if (hasHills) canvas.text(left, middle + LANE.lift, shape(labels.noPercentile), look)
    column.draw(canvas, mark, { x, middle, isMain: !hasPlaces })
  }

  function rowOf({ title, marks }: ComparedScale): ChartRow {
    const facts = sharedRanges(sheet, marks)
    const factsWidth = facts ? fitter.width(facts, headStyle) + GAP : 0
    const lines = fitter.lines(title, { weight: 'bold', size: TITLE.size, shape }, content - factsWidth, 2)
    const lane = LANE.height
    const titleHeight = lines.length * TITLE.line + BELOW_TITLE
    const isHill = marks.some((mark) => mark?.percentile !== undefined)
    const favourable = marks.find((mark) => mark?.favourable)?.favourable
    const above = isHill && favourable ? ABOVE_LANES : 0
    return {
      title: lines,
      height: titleHeight + above + people.length * lane,
      draw(canvas, top) {
        for (const [index, line] of lines.entries()) {
          const y = top + index * TITLE.line + TITLE.ascent
          canvas.text(margin, y, shape(line), { size: TITLE.size, weight: 'bold', fill: ink })
        }
        if (facts)
          canvas.text(pageWidth - margin, top + TITLE.ascent, shape(facts), { ...look, align: 'end' })
        const first = top + titleHeight
        const ground = { left, width, top: first, height: above + people.length * lane }
        if (isHill) {
          drawHill(canvas, ground)
          drawFavourable(canvas, sheet, ground, favourable)
        }
        for (const [index, name] of names.entries()) {
          const laneTop = first + above + index * lane
          const middle = laneTop + lane / 2
          const y = middle + LANE.lift
          if (hasPlaces && marks[index])
            canvas.line(
              [
                [left, middle],
                [left + width, middle],
              ],
              theme.outline,
              1.5,
              '2 7',
            )
          canvas.text(margin, y, shape(name), { size: LANE.size, weight: 'medium', fill: ink })
          drawLane(canvas, marks[index], { top: laneTop, height: lane })
        }
      },
    }
  }

  const headHeight = HEAD.above + Math.max(1, head.length) * HEAD.line + HEAD.below
  const endHeight = hasHills ? AXIS_HEIGHT : BELOW_LIST
  return {
    headHeight,
    endHeight,
    rows: compared.map(rowOf),
    draw(canvas, top, shown, gap) {
      const y = top + HEAD.above + HEAD.ascent
      for (const [index, line] of head.entries())
        canvas.text(margin, y + index * HEAD.line, shape(line), look)
      if (column.width) canvas.text(x, y, shape(labels.score), { ...look, align: 'middle' })
      const end = drawRows(canvas, top + headHeight + gap / 2, shown, { gap, between: undefined })
      if (hasHills) drawAxis(canvas, language, { left, width }, end)
      return end + endHeight
    },
  }
}

/** What can be and what is usual, where it is the same for everybody. */
function sharedRanges(sheet: Sheet, marks: readonly (SheetMark | undefined)[]): string {
  const [first, ...others] = marks.flatMap((mark) => (mark ? rangesOf(sheet, mark).join(' · ') : []))
  return first && others.every((other) => other === first) ? first : ''
}
