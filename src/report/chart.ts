import { setImmediate } from 'node:timers/promises'
import type { Language } from '../texts/languages.ts'
import type { Canvas } from './canvas.ts'
import type { Fitter } from './fit.ts'
import { formatNumber } from './numbers.ts'
import { AXIS_HEIGHT, BAR_HEIGHT, drawAxis, drawBar } from './percentile-bar.ts'
import type { Sheet, SheetScale } from './sheet.ts'
import { isolate, isolateCode } from './text.ts'
import { theme } from './theme.ts'

/** The scales of one sheet as rows; columns are the same on all its pages. */
type Chart = {
  headHeight: number
  endHeight: number
  rows: ChartRow[]
  /** Draws the heads, the given rows `gap` apart and the axis; answers where it ends. */
  draw: (canvas: Canvas, top: number, rows: readonly ChartRow[], gap: number) => number
}

export type ChartRow = { scale: SheetScale; title: string[]; height: number }

const { margin, small, ink, muted } = theme
const HEAD = { above: 10, line: 36, ascent: 27, below: 4 }
const TITLE = { size: 30, line: 36, ascent: 27 }
const ABOVE_BAR = 4
/** Between rows that lie far apart a title keeps some distance from its bar, too. */
const LIFT = 6
const BELOW_LIST = 10
const SCORE = { size: 32, smallest: small, narrowest: 120, widest: 230, gap: 24 }

/** Lays the scales out: title above bar, score at the side; without percentiles a list of titles and scores. */
export async function createChart(sheet: Sheet, fitter: Fitter, pageWidth: number): Promise<Chart> {
  const { language, labels } = sheet
  const shape = (text: string) => isolate(language, text)
  const content = pageWidth - 2 * margin
  const hasBars = sheet.scales.some(({ percentile }) => percentile !== undefined)
  const score = measureScores(sheet, fitter)
  const width = content - (score.width ? score.width + SCORE.gap : 0)
  const scoreMiddle = pageWidth - margin - score.width / 2
  const headStyle = { weight: 'regular', size: small, shape } as const
  const head = hasBars ? fitter.lines(labels.percentile, headStyle, width, 2) : []
  const headHeight = HEAD.above + Math.max(1, head.length) * HEAD.line + HEAD.below
  const endHeight = hasBars ? AXIS_HEIGHT : BELOW_LIST
  const rows = await rowsOf(sheet.scales, fitter, { shape, width, hasBars })

  function drawHeads(canvas: Canvas, top: number) {
    const y = top + HEAD.above + HEAD.ascent
    const style = { size: small, fill: muted }
    for (const [index, line] of head.entries()) canvas.text(margin, y + index * HEAD.line, shape(line), style)
    if (score.width) canvas.text(scoreMiddle, y, shape(labels.score), { ...style, align: 'middle' })
  }

  function drawRow(canvas: Canvas, top: number, { scale, title, height }: ChartRow, gap: number) {
    const lift = hasBars ? Math.min(LIFT, gap / 4) : 0
    for (const [index, line] of title.entries()) {
      const y = top - lift + index * TITLE.line + TITLE.ascent
      canvas.text(margin, y, shape(line), { size: TITLE.size, fill: ink, weight: 'medium' })
    }
    const barTop = top + height - BAR_HEIGHT
    if (scale.percentile !== undefined) drawBar(canvas, language, barTop, width, scale.percentile)
    else if (hasBars)
      canvas.text(margin, barTop + 26, shape(labels.noPercentile), { size: small, fill: muted })
    if (score.width) {
      const middle = hasBars ? barTop + BAR_HEIGHT / 2 : top + height / 2
      drawScore(canvas, scale.score, { language, size: score.size, hasBars, x: scoreMiddle, y: middle })
    }
  }

  return {
    headHeight,
    endHeight,
    rows,
    draw(canvas, top, shown, gap) {
      drawHeads(canvas, top)
      let y = top + headHeight + gap / 2
      for (const [index, row] of shown.entries()) {
        drawRow(canvas, y, row, gap)
        if (!hasBars && index < shown.length - 1) {
          canvas.rect(margin, y + row.height + gap / 2, content, 2, theme.hairline)
        }
        y += row.height + gap
      }
      if (hasBars) drawAxis(canvas, language, y - gap, width)
      return y - gap + endHeight
    },
  }
}

/** Breaks the titles into lines, which decide how high each row is. */
async function rowsOf(
  scales: readonly SheetScale[],
  fitter: Fitter,
  { shape, width, hasBars }: { shape: (text: string) => string; width: number; hasBars: boolean },
): Promise<ChartRow[]> {
  const rows: ChartRow[] = []
  for (const scale of scales) {
    await setImmediate() // breaking a long title for the first time takes some milliseconds
    const title = fitter.lines(scale.title, { weight: 'medium', size: TITLE.size, shape }, width, 2)
    rows.push({ scale, title, height: title.length * TITLE.line + (hasBars ? ABOVE_BAR + BAR_HEIGHT : 0) })
  }
  return rows
}

/** The score is the main number only where there is no percentile to be it. */
function drawScore(
  canvas: Canvas,
  value: number | undefined,
  {
    language,
    size,
    hasBars,
    x,
    y,
  }: { language: Language; size: number; hasBars: boolean; x: number; y: number },
): void {
  const text = value === undefined ? '–' : isolateCode(formatNumber(language, value))
  const weight = hasBars ? 'medium' : 'bold'
  const fill = value === undefined ? muted : ink
  canvas.text(x, y + size * 0.3, text, { size, weight, fill, align: 'middle' })
}

/** Width of the column of scores (0: nobody has one) and the size at which the longest score fits into it. */
function measureScores({ scales, language }: Sheet, fitter: Fitter) {
  const texts = scales.flatMap(({ score }) => (score === undefined ? [] : [formatNumber(language, score)]))
  const longest = texts.reduce((a, b) => (b.length > a.length ? b : a), '')
  if (!longest) return { width: 0, size: SCORE.size }
  const natural = fitter.width(longest, { weight: 'bold', size: SCORE.size, shape: isolateCode })
  const width = Math.min(SCORE.widest, Math.max(SCORE.narrowest, Math.ceil(natural)))
  const size = Math.max(SCORE.smallest, Math.min(SCORE.size, Math.floor((SCORE.size * width) / natural)))
  return { width, size }
}
