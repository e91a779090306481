import type { Range } from '../domain/scale.ts'
import type { Canvas, Point } from './canvas.ts'
import type { Ground } from './hill.ts'
import type { SheetMark } from './sheet.ts'
import { theme } from './theme.ts'

const BAR = { height: 26 }
const DOT = 13

/** What is drawn where there is no percentile: all scores that can be, or what is usual and some more around it. */
function rangeOf({ score = 0, span, usual }: SheetMark): Range | undefined {
  if (span || !usual) return span
  const wide = usual.high - usual.low || 1
  const low = Math.min(usual.low, score) - wide / 2
  const high = Math.max(usual.high, score) + wide / 2
  return { low: usual.low >= 0 ? Math.max(0, low) : low, high }
}

/** Whether a score has a place that can be drawn. */
export const hasRange = (mark: SheetMark): boolean => mark.score !== undefined && rangeOf(mark) !== undefined

/** A score between the lowest and the highest that can be, with what is usual as a band in a frame. */
export function drawRange(canvas: Canvas, ground: Ground, mark: SheetMark): void {
  const range = rangeOf(mark)
  const { score, usual, asksForCare } = mark
  if (!range || score === undefined) return
  const { left, width } = ground
  const top = ground.top + ground.height - BAR.height - 4
  const middle = top + BAR.height / 2
  const at = (value: number) => left + (width * (value - range.low)) / (range.high - range.low)
  canvas.plate(left, top, width, BAR.height, theme.track)
  if (usual) {
    const [from, to] = [at(Math.max(range.low, usual.low)), at(Math.min(range.high, usual.high))]
    canvas.rect(from, top, to - from, BAR.height, theme.pale)
    for (const edge of [from, to])
      canvas.line(
        [
          [edge, top - 5],
          [edge, top + BAR.height + 5],
        ],
        theme.outline,
        3,
      )
  }
  const x = Math.min(left + width - DOT, Math.max(left + DOT, at(score)))
  if (!usual) canvas.plate(left, top, Math.max(BAR.height, x - left + BAR.height / 2), BAR.height, theme.pale)
  if (asksForCare) {
    canvas.shape(diamond(x, middle, DOT + 6), theme.paper)
    canvas.shape(diamond(x, middle, DOT + 2), theme.care)
  } else {
    canvas.circle(x, middle, DOT + 3, theme.paper)
    canvas.circle(x, middle, DOT, theme.accent)
  }
}

const diamond = (x: number, y: number, reach: number): Point[] => [
  [x - reach, y],
  [x, y - reach],
  [x + reach, y],
  [x, y + reach],
]
