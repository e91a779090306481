import { isRightToLeft, type Language } from '../texts/languages.ts'
import { FONT_FAMILY, fontWeight, type Weight } from './fonts.ts'
import { escapeXml } from './text.ts'

export const CARD_WIDTH = 1080

type TextOptions = {
  size: number
  fill: string
  weight?: Weight
  align?: 'start' | 'middle' | 'end'
}

export type Point = readonly [x: number, y: number]

export type Canvas = {
  rect: (x: number, y: number, width: number, height: number, fill: string) => void
  /** A rectangle that is straight where it begins and round where it ends. */
  bar: (x: number, y: number, width: number, height: number, fill: string, radius: number) => void
  /** A plate with round ends. */
  plate: (x: number, y: number, width: number, height: number, fill: string) => void
  /** A filled shape from corner to corner. */
  shape: (points: readonly Point[], fill: string) => void
  /** An open line through points. */
  line: (points: readonly Point[], stroke: string, width: number) => void
  circle: (x: number, y: number, radius: number, fill: string) => void
  /** One line of text, already wrapped in its isolates; `y` is the baseline. */
  text: (x: number, y: number, content: string, options: TextOptions) => void
  svg: (height: number) => string
}

/**
 * Collects the drawing of one card. `x` counts from the edge where reading starts, so the same drawing is right to
 * left in Persian and left to right in English. One unit is `zoom` pixels.
 */
export function createCanvas(language: Language, zoom: number): Canvas {
  const parts: string[] = []
  const isRtl = isRightToLeft(language)
  const direction = isRtl ? -1 : 1
  const across = (x: number) => (isRtl ? CARD_WIDTH / zoom - x : x)
  // Edges on whole pixels are sharp, and rows of equal pixels make the file small.
  const snap = (value: number) => round(Math.round(value * zoom) / zoom)
  // resvg takes the anchor as a side of the picture, whatever the direction of the text.
  const anchors = isRtl
    ? { start: 'end', middle: 'middle', end: 'start' }
    : { start: 'start', middle: 'middle', end: 'end' }

  const through = (points: readonly Point[]) =>
    points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'} ${round(across(x))} ${round(y)}`).join(' ')
  const path = (fill: string, steps: string) => parts.push(`<path fill="${fill}" d="${steps} Z"/>`)

  return {
    rect(x, y, width, height, fill) {
      const [start, top] = [snap(across(x)), snap(y)]
      path(fill, `M ${start} ${top} h ${direction * snap(width)} v ${snap(height)} H ${start}`)
    },
    bar(x, y, width, height, fill, radius) {
      const [start, end, top] = [snap(across(x)), snap(across(x + width)), snap(y)]
      const r = Math.min(radius, Math.abs(end - start))
      const arc = (toX: number, toY: number) => `a ${r} ${r} 0 0 ${isRtl ? 0 : 1} ${direction * toX} ${toY}`
      const tip = `${arc(r, r)} v ${snap(height) - 2 * r} ${arc(-r, r)}`
      path(fill, `M ${start} ${top} H ${end - direction * r} ${tip} H ${start}`)
    },
    plate(x, y, width, height, fill) {
      const left = isRtl ? across(x + width) : x
      const size = `width="${round(width)}" height="${round(height)}" rx="${round(height / 2)}"`
      parts.push(`<rect x="${round(left)}" y="${round(y)}" ${size} fill="${fill}"/>`)
    },
    shape: (points, fill) => void path(fill, through(points)),
    line(points, stroke, width) {
      const look = `stroke="${stroke}" stroke-width="${width}"`
      parts.push(`<path fill="none" ${look} d="${through(points)}"/>`)
    },
    circle(x, y, radius, fill) {
      parts.push(`<circle cx="${round(across(x))}" cy="${round(y)}" r="${radius}" fill="${fill}"/>`)
    },
    // One <text> per line: resvg orders a whole <text> as one paragraph.
    text(x, y, content, { size, fill, weight = 'regular', align = 'start' }) {
      const font = `font-family="${FONT_FAMILY}" font-weight="${fontWeight[weight]}" font-size="${size}"`
      const place = `x="${round(across(x))}" y="${round(y)}" text-anchor="${anchors[align]}"`
      parts.push(`<text ${place} ${font} fill="${fill}">${escapeXml(content)}</text>`)
    },
    svg(height) {
      const pixels = Math.ceil(round(height * zoom))
      const size = `width="${CARD_WIDTH}" height="${pixels}"`
      const viewBox = `viewBox="0 0 ${CARD_WIDTH / zoom} ${pixels / zoom}"`
      return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${viewBox}>${parts.join('')}</svg>`
    },
  }
}

const round = (value: number) => Math.round(value * 1000) / 1000
