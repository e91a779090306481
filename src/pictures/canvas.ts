import { isRightToLeft, type Language } from '../texts/languages.ts'
import { FONT_FAMILY, fontWeight, type Weight } from './fonts.ts'
import { escapeXml, formatNumber, isolate, isolateCode } from './text.ts'

export const CARD_WIDTH = 1080

/**
 * One style for all pictures: light, printable in grey. Sizes are units of 0.93 to 1.3 pixels (see pages.ts),
 * so that no text is smaller than 24 pixels: a phone shows a picture at about a third of its size.
 */
export const theme = {
  margin: 48,
  small: 26,
  paper: '#ffffff',
  ink: '#17212e',
  muted: '#4a5766',
  hairline: '#d3dedb',
  track: '#e2eae8',
  accent: '#0f766e',
  /** A paler part of a shape that is drawn in the accent. */
  pale: '#a9d3cc',
  warning: '#b45309',
  /** The line around a hill. */
  outline: '#7f9c98',
} as const

export type TextOptions = {
  size: number
  fill: string
  weight?: Weight
  align?: 'start' | 'middle' | 'end'
}

export type Point = readonly [x: number, y: number]

export type Canvas = ReturnType<typeof createCanvas>

/**
 * Collects the drawing of one card. `x` counts from the edge where reading starts, so the same drawing is right to
 * left in Persian and left to right in English. One unit is `zoom` pixels.
 */
export function createCanvas(language: Language, zoom: number) {
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

  /** One line of text, already wrapped in its isolates; `y` is the baseline. */
  function text(x: number, y: number, content: string, options: TextOptions): void {
    const { size, fill, weight = 'regular', align = 'start' } = options
    const font = `font-family="${FONT_FAMILY}" font-weight="${fontWeight[weight]}" font-size="${size}"`
    const place = `x="${round(across(x))}" y="${round(y)}" text-anchor="${anchors[align]}"`
    // One <text> per line: resvg orders a whole <text> as one paragraph.
    parts.push(`<text ${place} ${font} fill="${fill}">${escapeXml(content)}</text>`)
  }

  return {
    language,
    rect(x: number, y: number, width: number, height: number, fill: string) {
      const [start, top] = [snap(across(x)), snap(y)]
      path(fill, `M ${start} ${top} h ${direction * snap(width)} v ${snap(height)} H ${start}`)
    },
    /** A plate with round ends. */
    plate(x: number, y: number, width: number, height: number, fill: string) {
      const left = isRtl ? across(x + width) : x
      const size = `width="${round(width)}" height="${round(height)}" rx="${round(height / 2)}"`
      parts.push(`<rect x="${round(left)}" y="${round(y)}" ${size} fill="${fill}"/>`)
    },
    /** A filled shape from corner to corner. */
    shape: (points: readonly Point[], fill: string) => void path(fill, through(points)),
    /** An open line through points. */
    line(points: readonly Point[], stroke: string, width: number) {
      const look = `stroke="${stroke}" stroke-width="${width}"`
      parts.push(`<path fill="none" ${look} d="${through(points)}"/>`)
    },
    circle(x: number, y: number, radius: number, fill: string) {
      parts.push(`<circle cx="${round(across(x))}" cy="${round(y)}" r="${radius}" fill="${fill}"/>`)
    },
    text,
    /** One line of text that is not wrapped in isolates yet. */
    words: (x: number, y: number, content: string, options: TextOptions) =>
      text(x, y, isolate(language, content), options),
    number: (x: number, y: number, value: number, options: TextOptions) =>
      text(x, y, isolateCode(formatNumber(language, value)), options),
    svg(height: number): string {
      const pixels = Math.ceil(round(height * zoom))
      const size = `width="${CARD_WIDTH}" height="${pixels}"`
      const viewBox = `viewBox="0 0 ${CARD_WIDTH / zoom} ${pixels / zoom}"`
      return `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${viewBox}>${parts.join('')}</svg>`
    },
  }
}

const round = (value: number) => Math.round(value * 1000) / 1000
