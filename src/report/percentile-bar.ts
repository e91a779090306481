import type { Language } from '../texts/languages.ts'
import type { Canvas } from './canvas.ts'
import { formatNumber } from './numbers.ts'
import { isolateCode } from './text.ts'
import { theme } from './theme.ts'

export const BAR_HEIGHT = 32
export const AXIS_HEIGHT = 42

const { margin, small } = theme
const RADIUS = 9
const TICKS = [0, 25, 50, 75, 100]
const NUMBER = { size: 30, digit: 18, padding: 14, lift: 9 }

/** Draws a percentile as a bar that begins at the margin; the whole `width` is 100. The number stands at its end. */
export function drawBar(
  canvas: Canvas,
  language: Language,
  top: number,
  width: number,
  percentile: number,
): void {
  const length = (width * percentile) / 100
  const text = formatNumber(language, percentile)
  const textWidth = text.length * NUMBER.digit
  const isInside = length > textWidth + 2 * NUMBER.padding
  const textAt = isInside ? length - NUMBER.padding : length + NUMBER.padding
  const [from, to] = isInside ? [textAt - textWidth, length] : [textAt, textAt + textWidth]

  canvas.bar(margin, top, width, BAR_HEIGHT, theme.track, RADIUS)
  if (length > 0) canvas.bar(margin, top, length, BAR_HEIGHT, theme.accent, RADIUS)
  for (const tick of TICKS.slice(1, -1)) {
    const at = (width * tick) / 100
    const isUnderText = at > from - 8 && at < to + 8
    if (!isUnderText) canvas.rect(margin + at - 1, top, 2, BAR_HEIGHT, theme.paper)
  }
  canvas.text(margin + textAt, top + BAR_HEIGHT / 2 + NUMBER.lift, isolateCode(text), {
    size: NUMBER.size,
    weight: 'bold',
    ...(isInside ? { fill: theme.paper, align: 'end' } : { fill: theme.ink }),
  })
}

/** Writes 0 to 100 under the bars. */
export function drawAxis(canvas: Canvas, language: Language, top: number, width: number): void {
  for (const tick of TICKS) {
    const align = tick === 0 ? 'start' : tick === 100 ? 'end' : 'middle'
    const text = isolateCode(formatNumber(language, tick))
    canvas.text(margin + (width * tick) / 100, top + 33, text, { size: small, fill: theme.muted, align })
  }
}
