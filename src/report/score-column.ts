import type { Canvas } from './canvas.ts'
import type { Fitter } from './fit.ts'
import { formatNumber } from './numbers.ts'
import type { Sheet, SheetMark } from './sheet.ts'
import { isolateCode } from './text.ts'
import { theme } from './theme.ts'

const { small, ink, muted } = theme
const SCORE = { size: 32, smallest: small, narrowest: 120, widest: 250, line: 40 }

/** The scores at the side, in a column of the same width on all pages of a sheet. */
export type ScoreColumn = {
  /** 0: nobody has a score. */
  width: number
  height: number
  /** Draws it around a height; `isMain` where it is the only number. */
  draw: (canvas: Canvas, mark: SheetMark, at: { x: number; middle: number; isMain: boolean }) => void
}

/** Measures the column: as wide as the longest score. */
export function createScoreColumn(
  { language }: Pick<Sheet, 'language'>,
  marks: readonly SheetMark[],
  fitter: Fitter,
): ScoreColumn {
  const write = (value: number) => formatNumber(language, value)
  const scores = marks.flatMap((mark) => (mark.score === undefined ? [] : [write(mark.score)]))
  const longest = scores.reduce((a, b) => (b.length > a.length ? b : a), '')
  if (!longest) return { width: 0, height: 0, draw: () => undefined }
  const natural = fitter.width(longest, { weight: 'bold', size: SCORE.size, shape: isolateCode })
  const width = Math.min(SCORE.widest, Math.max(SCORE.narrowest, Math.ceil(natural)))
  const size = Math.max(SCORE.smallest, Math.min(SCORE.size, Math.floor((SCORE.size * width) / natural)))
  return {
    width,
    height: SCORE.line,
    draw(canvas, { score }, { x, middle, isMain }) {
      const text = score === undefined ? '–' : isolateCode(write(score))
      const weight = isMain ? 'bold' : 'medium'
      const fill = score === undefined ? muted : ink
      canvas.text(x, middle + size * 0.34, text, { size, weight, fill, align: 'middle' })
    },
  }
}
