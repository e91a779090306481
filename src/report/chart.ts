import { setImmediate } from 'node:timers/promises'
import { CARD_WIDTH, type Canvas } from './canvas.ts'
import type { Fitter } from './fit.ts'
import { formatNumber } from './numbers.ts'
import type { Sheet, SheetScale } from './sheet.ts'
import { isolate, isolateCode } from './text.ts'
import { theme } from './theme.ts'

/** The scales of one sheet as rows; columns are the same on all its pages. */
export type Chart = {
  headHeight: number
  axisHeight: number
  rows: ChartRow[]
  /** Draws the heads, the given rows `gap` apart and the axis; answers where it ends. */
  draw: (canvas: Canvas, top: number, rows: readonly ChartRow[], gap: number) => number
}

export type ChartRow = { scale: SheetScale; title: string[]; height: number }

const { margin, ink, muted } = theme
const CONTENT = CARD_WIDTH - 2 * margin
const SMALL = 22
const HEAD = 46
const AXIS = 42
const TITLE = { size: 28, line: 36, ascent: 27 }
const BAR = { above: 5, height: 24, radius: 8 }
const SCORE = { size: 30, smallest: SMALL, narrowest: 120, widest: 230, gap: 24 }
const TICKS = [0, 25, 50, 75, 100]

/** Lays the scales out: title above bar, score at the side; without percentiles a list of titles and scores. */
export async function createChart(sheet: Sheet, fitter: Fitter): Promise<Chart> {
  const { language, labels } = sheet
  const shape = (text: string) => isolate(language, text)
  const number = (value: number) => isolateCode(formatNumber(language, value))
  const hasBars = sheet.scales.some(({ percentile }) => percentile !== undefined)
  const score = measureScores(sheet, fitter)
  const width = CONTENT - (score.width ? score.width + SCORE.gap : 0)
  const scoreMiddle = CARD_WIDTH - margin - score.width / 2

  const rows: ChartRow[] = []
  for (const scale of sheet.scales) {
    await setImmediate() // breaking a long title for the first time takes some milliseconds
    const title = fitter.lines(scale.title, { weight: 'medium', size: TITLE.size, shape }, width, 2)
    const height = title.length * TITLE.line + (hasBars ? BAR.above + BAR.height : 0)
    rows.push({ scale, title, height })
  }

  function drawHeads(canvas: Canvas, top: number) {
    const head = { size: SMALL, fill: muted }
    if (hasBars) canvas.text(margin, top + 32, shape(labels.percentile), head)
    if (score.width) canvas.text(scoreMiddle, top + 32, shape(labels.score), { ...head, align: 'middle' })
  }

  function drawBar(canvas: Canvas, top: number, percentile: number | undefined) {
    const baseline = top + BAR.height / 2 + 7
    const note = { size: SMALL, fill: muted }
    if (percentile === undefined) {
      canvas.text(margin, baseline, shape(labels.noPercentile), note)
      return
    }
    const length = (width * percentile) / 100
    const text = number(percentile)
    const textWidth = text.length * 12
    const isInside = length > textWidth + 24
    const textAt = isInside ? length - 14 : length + 12
    const [from, to] = isInside ? [textAt - textWidth, length] : [textAt, textAt + textWidth]
    canvas.rect(margin, top, width, BAR.height, theme.track, BAR.radius)
    if (length > 0) canvas.rect(margin, top, length, BAR.height, theme.accent, BAR.radius)
    for (const tick of TICKS.slice(1, -1)) {
      const at = (width * tick) / 100
      const isUnderText = at > from - 8 && at < to + 8
      if (!isUnderText) canvas.rect(margin + at - 1, top, 2, BAR.height, '#ffffff')
    }
    canvas.text(margin + textAt, baseline, text, {
      size: SMALL,
      weight: 'medium',
      ...(isInside ? { fill: theme.onAccent, align: 'end' } : { fill: ink }),
    })
  }

  function drawRow(canvas: Canvas, top: number, { scale, title, height }: ChartRow) {
    for (const [index, line] of title.entries()) {
      const y = top + index * TITLE.line + TITLE.ascent
      canvas.text(margin, y, shape(line), { size: TITLE.size, fill: ink, weight: 'medium' })
    }
    if (hasBars) drawBar(canvas, top + height - BAR.height, scale.percentile)
    if (!score.width) return
    const middle = hasBars ? top + height - BAR.height / 2 : top + height / 2
    const y = middle + score.size * 0.36
    const fill = scale.score === undefined ? muted : ink
    const text = scale.score === undefined ? '–' : number(scale.score)
    canvas.text(scoreMiddle, y, text, { size: score.size, weight: 'bold', fill, align: 'middle' })
  }

  function drawAxis(canvas: Canvas, top: number) {
    for (const tick of TICKS) {
      const align = tick === 0 ? 'start' : tick === 100 ? 'end' : 'middle'
      const at = margin + (width * tick) / 100
      canvas.text(at, top + 30, number(tick), { size: SMALL, fill: muted, align })
    }
  }

  return {
    headHeight: HEAD,
    axisHeight: hasBars ? AXIS : 0,
    rows,
    draw(canvas, top, shown, gap) {
      drawHeads(canvas, top)
      let y = top + HEAD + gap / 2
      for (const [index, row] of shown.entries()) {
        drawRow(canvas, y, row)
        if (!hasBars && index < shown.length - 1) {
          canvas.rect(margin, y + row.height + gap / 2, CONTENT, 2, theme.hairline)
        }
        y += row.height + gap
      }
      if (hasBars) drawAxis(canvas, y - gap)
      return y - gap + (hasBars ? AXIS : 0)
    },
  }
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
