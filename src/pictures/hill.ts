import { type Canvas, type Point, theme } from './canvas.ts'
import { formatNumber } from './text.ts'

/** The place of a hill or bar: `left` is counted from the reading edge, and the ground is at the bottom. */
type Ground = { left: number; width: number; top: number; height: number }

export const AXIS_HEIGHT = 42

const { small } = theme
/** This many standard deviations are drawn to each side. */
const REACH = 2.5
const STEPS = 60
const TICKS = [10, 25, 50, 75, 90]
const STEM = { width: 4, dot: 6, least: 5 }
const QUARTERS = [25, 50, 75]
const USUAL = { from: 25, to: 75, width: 6 }
const EARLIER = { size: 26, border: 2, gap: 4 }
const PILL = { height: 36, padding: 15, size: 28, digit: 17, lift: 10 }

/** How far along the ground this percentile is. */
function along({ left, width }: Pick<Ground, 'left' | 'width'>, percentile: number): number {
  const z = Math.min(REACH, Math.max(-REACH, normalQuantile(percentile / 100)))
  return left + width * (0.5 + z / (2 * REACH))
}

/** The line of the hill above a place on the ground. */
function lineAt({ left, width, top, height }: Ground, x: number): number {
  const z = ((x - left) / width - 0.5) * 2 * REACH
  return top + height * (1 - Math.exp((-z * z) / 2))
}

function ridge(ground: Ground, to: number): Point[] {
  const { left } = ground
  return Array.from({ length: STEPS + 1 }, (_, step) => {
    const x = left + ((to - left) * step) / STEPS
    return [x, lineAt(ground, x)]
  })
}

const between = (from: Point, to: Point): Point[] => [from, to]

/** Draws a hundred people as a hill, most of them near the middle, filled up to a place. */
export function drawHill(canvas: Canvas, ground: Ground, percentile: number): void {
  const { left, width, top, height } = ground
  const foot = top + height
  const end = left + width
  const whole = ridge(ground, end)
  canvas.shape([[left, foot], ...whole, [end, foot]], theme.track)
  const place = along(ground, percentile)
  canvas.shape([[left, foot], ...ridge(ground, place), [place, foot]], theme.pale)
  for (const quarter of QUARTERS) {
    const x = along(ground, quarter)
    canvas.line(between([x, lineAt(ground, x)], [x, foot]), theme.paper, 2)
  }
  canvas.line(whole, theme.outline, 2.5)
  canvas.line(between([left, foot], [end, foot]), theme.outline, 2.5)
  // The middle half of all people.
  const [from, to] = [along(ground, USUAL.from), along(ground, USUAL.to)]
  canvas.line(between([from, foot], [to, foot]), theme.ink, USUAL.width)
}

/** A stem from a place on the ground up to the line; none where the plate is as high as the hill. */
function drawStem(canvas: Canvas, ground: Ground, percentile: number, fill: string, width: number): void {
  const x = along(ground, percentile)
  const line = lineAt(ground, x)
  const foot = ground.top + ground.height
  if (line >= foot - PILL.height - STEM.least) return
  canvas.line(between([x, line], [x, foot]), fill, width)
  canvas.circle(x, line, STEM.dot, fill)
  if (fill !== theme.accent) canvas.circle(x, line, STEM.dot / 2, theme.paper)
}

/** A person's place on the hill: the percentile on the ground and a stem up to the line. */
export function drawMark(canvas: Canvas, ground: Ground, percentile: number): void {
  const foot = ground.top + ground.height
  drawStem(canvas, ground, percentile, theme.accent, STEM.width)
  // The number is on a round plate.
  const { value, half, at } = plateOf(canvas, ground, percentile)
  const middle = foot - PILL.height / 2
  canvas.plate(at - half, middle - PILL.height / 2, 2 * half, PILL.height, theme.accent)
  const look = { size: PILL.size, weight: 'bold', fill: theme.paper, align: 'middle' } as const
  canvas.number(at, middle + PILL.lift, value, look)
}

/** The place of a percentile's plate, and its number. */
function plateOf({ language }: Canvas, ground: Ground, percentile: number) {
  const { left, width } = ground
  // Rounding must not make 0 or 100 of a percentile in between.
  const value = percentile % 100 === 0 ? percentile : Math.min(99, Math.max(1, Math.round(percentile)))
  const { length } = formatNumber(language, value)
  const half = Math.max(PILL.height, length * PILL.digit + 2 * PILL.padding) / 2
  return { value, half, at: Math.min(left + width - half, Math.max(left + half, along(ground, percentile))) }
}

/** The place of an earlier result: the same, but hollow, and beside the plate of the current result. */
export function drawEarlier(canvas: Canvas, ground: Ground, percentile: number, now: number): void {
  const { left, width, top, height } = ground
  const foot = top + height
  drawStem(canvas, ground, percentile, theme.muted, STEM.width / 2)
  const { value, half, at } = plateOf(canvas, ground, percentile)
  const beside = plateOf(canvas, ground, now)
  const apart = half + beside.half + EARLIER.gap
  const sides = [at, beside.at + (percentile < now ? -apart : apart), beside.at + apart, beside.at - apart]
  const isFree = (middle: number) =>
    Math.abs(middle - beside.at) >= apart && middle - half >= left && middle + half <= left + width
  const middle = sides.find(isFree) ?? at
  const [plateTop, { border }] = [foot - PILL.height, EARLIER]
  canvas.plate(middle - half, plateTop, 2 * half, PILL.height, theme.muted)
  const inner = { width: 2 * (half - border), height: PILL.height - 2 * border }
  canvas.plate(middle - half + border, plateTop + border, inner.width, inner.height, theme.paper)
  const look = { size: EARLIER.size, fill: theme.muted, align: 'middle' } as const
  canvas.number(middle, foot - PILL.height / 2 + PILL.lift - 1, value, look)
}

/** Writes below the hills how many of a hundred people are before a place. */
export function drawAxis(canvas: Canvas, ground: Pick<Ground, 'left' | 'width'>, top: number): void {
  const look = { size: small, fill: theme.muted, align: 'middle' } as const
  for (const tick of TICKS) canvas.number(along(ground, tick), top + 33, tick, look)
}

/** The quantile of the normal distribution for a share (0 to 1), at most 0.005 standard deviations off. */
const normalQuantile = (share: number): number => 4.91 * (share ** 0.14 - (1 - share) ** 0.14)
