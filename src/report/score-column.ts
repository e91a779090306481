import type { Range } from '../domain/scale.ts'
import type { Canvas } from './canvas.ts'
import type { Fitter } from './fit.ts'
import { formatNumber } from './numbers.ts'
import type { Sheet, SheetMark } from './sheet.ts'
import { isolate, isolateCode } from './text.ts'
import { theme } from './theme.ts'

const { small, ink, muted } = theme
const SCORE = { size: 32, smallest: small, narrowest: 120, widest: 250, line: 40 }
const UNDER = { line: 32 }

/** The scores at the side, in a column of the same width on all pages of a sheet. */
export type ScoreColumn = {
  /** 0: nobody has a score. */
  width: number
  /** How high what stands there is. */
  heightOf: (mark: SheetMark) => number
  /** Draws it around a height; `isMain` where it is the only number. */
  draw: (canvas: Canvas, mark: SheetMark, at: { x: number; middle: number; isMain: boolean }) => void
}

/** What is known beside a score: what can be, and what is usual. */
export function rangesOf(
  { language, labels }: Pick<Sheet, 'language' | 'labels'>,
  { span, usual }: SheetMark,
): string[] {
  const write = (value: number) => formatNumber(language, value)
  const possible = ({ low, high }: Range) =>
    low === 0 ? labels.of(write(high)) : labels.between(write(low), write(high))
  return [
    ...(span ? [possible(span)] : []),
    ...(usual ? [labels.usual(write(usual.low), write(usual.high))] : []),
  ]
}

/** Measures the column: as wide as the longest score, or what stands under one unless scores stand alone. */
export function createScoreColumn(
  sheet: Pick<Sheet, 'language' | 'labels'>,
  marks: readonly SheetMark[],
  fitter: Fitter,
  isAlone = false,
): ScoreColumn {
  const { language } = sheet
  const shape = (text: string) => isolate(language, text)
  const write = (value: number) => formatNumber(language, value)
  const under = (mark: SheetMark) => (isAlone || mark.score === undefined ? [] : rangesOf(sheet, mark))

  const longest = (texts: string[]) => texts.reduce((a, b) => (b.length > a.length ? b : a), '')
  const score = longest(marks.flatMap((mark) => (mark.score === undefined ? [] : [write(mark.score)])))
  if (!score) return { width: 0, heightOf: () => 0, draw: () => undefined }
  const natural = fitter.width(score, { weight: 'bold', size: SCORE.size, shape: isolateCode })
  const below = [...new Set(marks.flatMap(under))]
  const least = Math.max(
    0,
    ...below.map((text) => fitter.width(text, { weight: 'regular', size: small, shape })),
  )
  const width = Math.min(SCORE.widest, Math.max(SCORE.narrowest, Math.ceil(natural), Math.ceil(least) + 8))
  const size = Math.max(SCORE.smallest, Math.min(SCORE.size, Math.floor((SCORE.size * width) / natural)))

  const heightOf = (mark: SheetMark) => SCORE.line + under(mark).length * UNDER.line
  return {
    width,
    heightOf,
    draw(canvas, mark, { x, middle, isMain }) {
      const top = middle - heightOf(mark) / 2
      const text = mark.score === undefined ? '–' : isolateCode(write(mark.score))
      const weight = isMain ? 'bold' : 'medium'
      const fill = mark.score === undefined ? muted : ink
      canvas.text(x, top + SCORE.line / 2 + size * 0.34, text, { size, weight, fill, align: 'middle' })
      for (const [index, line] of under(mark).entries()) {
        const y = top + SCORE.line + index * UNDER.line + 22
        canvas.text(x, y, shape(line), { size: small, fill: muted, align: 'middle' })
      }
    },
  }
}
