import type { CardLanguage } from './card.ts'
import { fontFamily, fontWeight, type Weight } from './fonts.ts'
import { escapeXml } from './text.ts'

export const CARD_WIDTH = 1080

export type TextOptions = {
  size: number
  fill: string
  weight?: Weight
  align?: 'start' | 'middle' | 'end'
}

export type Canvas = {
  rect: (x: number, y: number, width: number, height: number, fill: string, radius?: number) => void
  /** One line of text, already wrapped in its isolates; `y` is the baseline. */
  text: (x: number, y: number, content: string, options: TextOptions) => void
  svg: (height: number) => string
}

/**
 * Collects the drawing of one card. `x` counts from the edge where reading starts, so the same drawing is right to
 * left in Persian and left to right in English.
 */
export function createCanvas(language: CardLanguage): Canvas {
  const parts: string[] = []
  const isRtl = language === 'fa'
  const left = (x: number, width: number) => round(isRtl ? CARD_WIDTH - x - width : x)
  // resvg takes the anchor as a side of the picture, whatever the direction of the text.
  const anchors = isRtl
    ? { start: 'end', middle: 'middle', end: 'start' }
    : { start: 'start', middle: 'middle', end: 'end' }

  const box = (x: number, y: number, width: number, height: number) =>
    `x="${left(x, width)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"`

  return {
    rect(x, y, width, height, fill, radius = 0) {
      parts.push(`<rect ${box(x, y, width, height)} rx="${Math.min(radius, width / 2)}" fill="${fill}"/>`)
    },
    // One <text> per line: resvg orders a whole <text> as one paragraph.
    text(x, y, content, { size, fill, weight = 'regular', align = 'start' }) {
      const font = `font-family="${fontFamily}" font-weight="${fontWeight[weight]}" font-size="${size}"`
      const place = `x="${left(x, 0)}" y="${round(y)}" text-anchor="${anchors[align]}"`
      parts.push(`<text ${place} ${font} fill="${fill}">${escapeXml(content)}</text>`)
    },
    svg: (height) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD_WIDTH}" height="${Math.ceil(height)}">` +
      `<rect width="100%" height="100%" fill="#ffffff"/>${parts.join('')}</svg>`,
  }
}

const round = (value: number) => Math.round(value * 100) / 100
