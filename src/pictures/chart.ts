import { setImmediate } from 'node:timers/promises'
import { type Canvas, theme } from './canvas.ts'
import type { Sheet, SheetScale } from './card.ts'
import { blockOf, type Fitter } from './fit.ts'
import { AXIS_HEIGHT, drawAxis, drawEarlier, drawHill, drawMark } from './hill.ts'
import { formatNumber, isolateCode } from './text.ts'

export type ChartRow = {
  height: number
  draw: (canvas: Canvas, top: number, lift: number) => void
}

const { margin, small, ink, muted } = theme
/** The words above the columns. */
export const HEAD = { size: small, line: 36, ascent: 27, fill: muted }
export const HEAD_SPACE = { above: 10, below: 4 }
/** The title of a scale. */
export const TITLE = { size: 30, line: 36, ascent: 27, weight: 'medium', fill: ink } as const
const SCORE = { size: 32, narrowest: 120, widest: 250, line: 40, earlier: 34 }
const ABOVE_HILL = 4
/** In rows that are far apart a title keeps some distance from its hill, too. */
const LIFT = 6
const BELOW_LIST = 10
const GAP = 28

/**
 * Lays the scales of one sheet out as rows: the title above the hill, the score at the side; without any
 * percentile, as a list of titles and scores. The columns are the same on all pages.
 */
export async function createChart(sheet: Sheet, fitter: Fitter, pageWidth: number, hillHeight: number) {
  const { language, labels, scales } = sheet
  const content = pageWidth - 2 * margin
  const hasHills = scales.some(({ percentile }) => percentile !== undefined)
  const column = createScoreColumn(sheet, fitter)
  const width = content - (column.width ? column.width + GAP : 0)
  const x = pageWidth - margin - column.width / 2
  const headText = [hasHills && labels.percentile, sheet.thenAndNow].filter(Boolean).join(' ')
  const head = blockOf(fitter, language, headText, HEAD, width, 4)
  const look = { size: small, fill: muted }

  function rowOf(scale: SheetScale): ChartRow {
    const title = blockOf(fitter, language, scale.title, TITLE, width, 2)
    const drawing = hasHills ? title.height + ABOVE_HILL + hillHeight : title.height
    const height = Math.max(drawing, column.height)

    return {
      height,
      draw(canvas, top, lift) {
        title.draw(canvas, margin, top - (hasHills ? lift : 0))
        if (hasHills) {
          const ground = { left: margin, width, top: top + height - hillHeight, height: hillHeight }
          const { percentile } = scale
          if (percentile === undefined) canvas.words(margin, ground.top + 30, labels.noPercentile, look)
          else {
            drawHill(canvas, ground, percentile)
            const before = scale.earlier?.percentile
            if (before !== undefined) drawEarlier(canvas, ground, before, percentile)
            drawMark(canvas, ground, percentile)
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

  const headHeight = HEAD_SPACE.above + Math.max(HEAD.line, head.height) + HEAD_SPACE.below
  const endHeight = hasHills ? AXIS_HEIGHT : BELOW_LIST
  return {
    headHeight,
    endHeight,
    rows,
    /** Draws the heads, the given rows `gap` apart, and the axis. Returns where it ends. */
    draw(canvas: Canvas, top: number, shown: readonly ChartRow[], gap: number): number {
      const headTop = top + HEAD_SPACE.above
      head.draw(canvas, margin, headTop)
      const middle = { ...look, align: 'middle' } as const
      if (column.width) canvas.words(x, headTop + HEAD.ascent, labels.score, middle)
      let rowTop = top + headHeight + gap / 2
      for (const [index, row] of shown.entries()) {
        if (!hasHills && index > 0) canvas.rect(margin, rowTop - gap / 2, content, 2, theme.hairline)
        row.draw(canvas, rowTop, Math.min(LIFT, gap / 4))
        rowTop += row.height + gap
      }
      const end = rowTop - gap
      if (hasHills) drawAxis(canvas, { left: margin, width }, end)
      return end + endHeight
    },
  }
}

/** The scores at the side, as wide as the longest of them; 0 where there is no score. */
function createScoreColumn({ language, scales }: Sheet, fitter: Fitter) {
  const write = (value: number) => formatNumber(language, value)
  const all = scales.flatMap(({ score, earlier }) => [score, earlier?.score])
  const scores = all.flatMap((score) => (score === undefined ? [] : [write(score)]))
  const longest = scores.reduce((a, b) => (b.length > a.length ? b : a), '')
  if (!longest) return { width: 0, height: 0, draw: () => undefined }
  const natural = fitter.width(longest, { weight: 'bold', size: SCORE.size, shape: isolateCode })
  const width = Math.min(SCORE.widest, Math.max(SCORE.narrowest, Math.ceil(natural)))
  const size = Math.max(small, Math.min(SCORE.size, Math.floor((SCORE.size * width) / natural)))
  const below = scales.some(({ earlier }) => earlier?.score !== undefined) ? SCORE.earlier : 0
  return {
    width,
    height: SCORE.line + below,
    draw(canvas: Canvas, scale: SheetScale, at: { x: number; middle: number; isMain: boolean }) {
      const { score, earlier } = scale
      const middle = at.middle - below / 2
      const look = {
        size,
        weight: at.isMain ? 'bold' : 'medium',
        fill: score === undefined ? muted : ink,
        align: 'middle',
      } as const
      canvas.text(at.x, middle + size * 0.34, score === undefined ? '–' : isolateCode(write(score)), look)
      if (earlier?.score === undefined) return
      const then = { size: small, fill: muted, align: 'middle' } as const
      canvas.text(at.x, middle + below + small * 0.34, isolateCode(write(earlier.score)), then)
    },
  }
}
