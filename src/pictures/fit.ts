import { Resvg } from '@resvg/resvg-js'
import { LRUCache } from 'lru-cache'
import type { Language } from '../texts/languages.ts'
import type { Canvas, TextOptions } from './canvas.ts'
import { type CardFonts, FONT_FAMILY, fontOptions, fontWeight, type Weight } from './fonts.ts'
import { escapeXml, isolate } from './text.ts'

/** Text as it will be drawn: `shape` adds the direction isolates, which take part in shaping. */
type TextStyle = { weight: Weight; size: number; shape: (text: string) => string }

export type Fitter = ReturnType<typeof createFitter>

/** No letter or digit of Vazirmatn is wider (in em), so a short text is not measured. */
const WIDEST_LETTER = 1.5
/** No line of words has narrower letters on average, so a line with more letters is not tried. */
const NARROWEST_LETTER = 0.2
const USUAL_LETTER = 0.45
const REMEMBERED = 1000

/** Measures texts exactly as they will be drawn (about 0.1 ms each). */
function createMeasure(fonts: CardFonts) {
  function width(text: string, { weight, size, shape }: TextStyle) {
    const attributes = `font-family="${FONT_FAMILY}" font-weight="${fontWeight[weight]}" font-size="${size}"`
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text ${attributes}>${escapeXml(shape(text))}</text></svg>`
    return new Resvg(svg, fontOptions([fonts[weight]])).getBBox()?.width ?? 0
  }

  function fits(text: string, style: TextStyle, max: number) {
    const letters = max / style.size
    if (text.length <= letters / WIDEST_LETTER) return true
    return text.length <= letters / NARROWEST_LETTER && width(text, style) <= max
  }

  /** The last of the ascending `cuts` at which the text fits. Widths grow evenly: few guesses find it. */
  function lastFitting(cuts: number[], cutAt: (cut: number) => string, style: TextStyle, max: number) {
    let low = { index: -1, width: 0 }
    let high = { index: cuts.length, width: cutAt(cuts.at(-1) ?? 0).length * style.size * USUAL_LETTER }
    while (high.index - low.index > 1) {
      const share = (max - low.width) / (high.width - low.width)
      const guess = low.index + Math.round(share * (high.index - low.index))
      const index = Math.min(high.index - 1, Math.max(low.index + 1, guess))
      const probe = { index, width: width(cutAt(cuts[index] ?? 0), style) }
      if (probe.width <= max) low = probe
      else high = probe
    }
    return cuts[low.index]
  }

  return { width, fits, lastFitting }
}

/** Fits texts into widths. */
export function createFitter(fonts: CardFonts) {
  const { width, fits, lastFitting } = createMeasure(fonts)
  const remembered = new LRUCache<string, string[]>({ max: REMEMBERED })
  const graphemes = new Intl.Segmenter()

  function breakLines(text: string, style: TextStyle, max: number, count: number): string[] {
    if (fits(text, style, max)) return [text]
    const reach = text.slice(0, max / style.size / NARROWEST_LETTER)
    const cuts = Array.from(graphemes.segment(reach), ({ index }) => index).slice(1)
    if (count === 1) {
      const shorten = (cut: number) => ellipsis(text, cut)
      return [shorten(lastFitting(cuts, shorten, style, max) ?? 0)]
    }
    const upTo = (cut: number) => text.slice(0, cut)
    const cut = lastFitting(breaks(reach), upTo, style, max) ?? lastFitting(cuts, upTo, style, max)
    return [upTo(cut ?? 1), ...breakLines(text.slice(cut ?? 1).trim(), style, max, count - 1)]
  }

  /** Two lines of about the same length read better than a full one and a single word. */
  function evenOut(lines: string[], text: string, style: TextStyle, max: number): string[] {
    const [first = ''] = lines
    if (lines.length !== 2 || lines[1]?.endsWith('…')) return lines
    const cut = breaks(text).find((at) => at >= text.length / 2 && at < first.length)
    const halves = [text.slice(0, cut), text.slice(cut).trim()]
    return cut !== undefined && halves.every((half) => fits(half, style, max)) ? halves : lines
  }

  return {
    /** Exact width in pixels. */
    width,
    /** Breaks a text into at most `count` lines up to `max` wide, then an ellipsis. Remembers nothing. */
    fresh: breakLines,
    /** The same for a text without personal data: remembered, with two lines about equally long. */
    lines(text: string, style: TextStyle, max: number, count: number): string[] {
      if (!text) return []
      // `shape('')` differs between the languages.
      const key = [style.weight, style.size, style.shape(''), max, count, text].join('|')
      const known = remembered.get(key)
      if (known) return known
      const lines = evenOut(breakLines(text, style, max, count), text, style, max)
      remembered.set(key, lines)
      return lines
    },
  }
}

/** Where a line may end: at spaces, but not after a single «و» (and). */
const breaks = (text: string) => Array.from(text.matchAll(/(?<! و) /g), ({ index }) => index)

const ellipsis = (text: string, end: number) =>
  `${text.slice(0, end).replace(/(?:[\s،,.:;–-]|\u200c|\u200d)+$/, '')}…`

/** A text of several lines. `line`: from one line's top to the next; `ascent`: from there to the baseline. */
type BlockLook = TextOptions & { line: number; ascent: number; shape?: TextStyle['shape'] }

/** A text in at most `most` lines, ready to be drawn. If it `isFresh`, it is not remembered. */
export function blockOf(
  { lines: remembered, fresh }: Fitter,
  language: Language,
  text: string,
  { line, ascent, shape = (part) => isolate(language, part), ...look }: BlockLook,
  width: number,
  most: number,
  isFresh = false,
) {
  const style = { weight: look.weight ?? 'regular', size: look.size, shape }
  const lines = (isFresh ? fresh : remembered)(text, style, width, most)
  return {
    lines,
    height: lines.length * line,
    draw(canvas: Canvas, x: number, top: number): void {
      for (const [index, each] of lines.entries())
        canvas.text(x, top + index * line + ascent, shape(each), look)
    },
  }
}
