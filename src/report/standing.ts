import type { Canvas } from './canvas.ts'
import type { Fitter } from './fit.ts'
import type { Ground } from './hill.ts'
import type { Sheet, SheetMark } from './sheet.ts'
import { isolate } from './text.ts'
import { theme } from './theme.ts'

type Worded = Pick<Sheet, 'language' | 'labels'>

const { small } = theme
const SIGN = { size: 9, gap: 14 }
const BESIDE = 24
const ARROW = { width: 11, height: 8, gap: 10 }

const styleOf = ({ language }: Worded) =>
  ({ weight: 'medium', size: small, shape: (text: string) => isolate(language, text) }) as const

/** How much of a title's line what the result calls the score takes. */
export function widthOfStanding(sheet: Worded, { standing }: SheetMark, fitter: Fitter): number {
  if (!standing) return 0
  return Math.ceil(fitter.width(standing, styleOf(sheet))) + SIGN.gap + 2 * SIGN.size + BESIDE
}

/** Says what the result calls the score, ending at `x`; a pointed sign goes with what asks for care. */
export function drawStanding(
  canvas: Canvas,
  sheet: Worded,
  { standing, asksForCare }: SheetMark,
  { x, y }: { x: number; y: number },
): void {
  if (!standing) return
  const fill = asksForCare ? theme.care : theme.muted
  const at = x - SIGN.size
  const middle = y - 9
  const { size } = SIGN
  if (asksForCare)
    canvas.shape(
      [
        [at - size - 1, middle],
        [at, middle - size - 1],
        [at + size + 1, middle],
        [at, middle + size + 1],
      ],
      fill,
    )
  else canvas.circle(at, middle, size - 2, theme.accent)
  const weight = asksForCare ? 'medium' : 'regular'
  canvas.text(x - 2 * size - SIGN.gap, y, isolate(sheet.language, standing), {
    size: small,
    fill,
    weight,
    align: 'end',
  })
}

/** Says at which end it is good to be, above the flat of the hill. */
export function drawFavourable(
  canvas: Canvas,
  { language, labels }: Worded,
  { left, width, top }: Ground,
  end: 'low' | 'high' | undefined,
): void {
  if (!end) return
  const [edge, inward] = end === 'low' ? [left, 1] : [left + width, -1]
  const { width: long, height, gap } = ARROW
  const middle = top + 11
  canvas.shape(
    [
      [edge, middle],
      [edge + inward * long, middle - height],
      [edge + inward * long, middle + height],
    ],
    theme.muted,
  )
  const look = { size: small, fill: theme.muted, align: end === 'low' ? 'start' : 'end' } as const
  canvas.text(edge + inward * (long + gap), top + 20, isolate(language, labels.favourable), look)
}
