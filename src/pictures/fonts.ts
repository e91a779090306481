import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Resvg, type ResvgRenderOptions } from '@resvg/resvg-js'

/** The paths of three weights of Vazirmatn, as TTF files (resvg reads no woff2). */
export type CardFonts = { regular: string; medium: string; bold: string }

export type Weight = keyof CardFonts

export const FONT_FAMILY = 'Vazirmatn'
export const fontWeight = { regular: 400, medium: 500, bold: 700 } as const satisfies Record<Weight, number>

/** The fonts that come with the bot. They are in `src/` also when the code runs from `dist/`. */
export const bundledFonts = (): CardFonts => ({
  regular: bundled('Vazirmatn-Regular.ttf'),
  medium: bundled('Vazirmatn-Medium.ttf'),
  bold: bundled('Vazirmatn-Bold.ttf'),
})

const bundled = (file: string) => fileURLToPath(new URL(`../../src/pictures/fonts/${file}`, import.meta.url))

/** Makes resvg use these files and no other font, so that a card looks the same on every machine. */
export const fontOptions = (fontFiles: string[]): ResvgRenderOptions => ({
  font: { fontFiles, loadSystemFonts: false, defaultFontFamily: FONT_FAMILY },
})

const PERSIAN = 'ءآأؤئابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی۰۱۲۳۴۵۶۷۸۹\u200c'

/**
 * Makes sure that every font can write Persian: without its font resvg draws a picture with no text and no error.
 * Throws an `Error` that names the file and what is wrong with it.
 */
export function assertFonts(fonts: CardFonts): void {
  for (const [weight, path] of Object.entries(fonts)) {
    if (!existsSync(path)) throw new Error(`The ${weight} font of the result card is missing: ${path}`)
    const covers = readCoverage(path)
    const lacking = [...PERSIAN].filter((letter) => !covers(letter))
    if (lacking.length > 0) {
      throw new Error(
        `The ${weight} font of the result card has no Persian glyphs (lacks ${lacking.length}): ${path}`,
      )
    }
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text font-family="${FONT_FAMILY}">پژ</text></svg>`
    if (!new Resvg(svg, fontOptions([path])).getBBox()) {
      throw new Error(`The ${weight} font of the result card cannot be drawn with: ${path}`)
    }
  }
}

/** Which characters a font has glyphs for. A file that is not a font covers nothing. */
export function readCoverage(path: string): (character: string) => boolean {
  const file = readFileSync(path)
  let ranges: [number, number][] = []
  try {
    ranges = readCharacterRanges(file)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error // cut off or not a font: reading ran over its end
  }
  return (character) => {
    const code = character.codePointAt(0) ?? 0
    return ranges.some(([first, last]) => code >= first && code <= last)
  }
}

/** The segments of the font's `cmap` subtable of format 4 (OpenType specification, "cmap"). */
function readCharacterRanges(file: Buffer): [number, number][] {
  const tables = Array.from({ length: file.readUInt16BE(4) }, (_, index) => 12 + index * 16)
  const entry = tables.find((at) => file.toString('latin1', at, at + 4) === 'cmap')
  if (entry === undefined) return []
  const cmap = file.readUInt32BE(entry + 8)
  const subtables = Array.from({ length: file.readUInt16BE(cmap + 2) }, (_, index) => {
    return cmap + file.readUInt32BE(cmap + 4 + index * 8 + 4)
  })
  const table = subtables.find((at) => file.readUInt16BE(at) === 4)
  if (table === undefined) return []
  const doubledCount = file.readUInt16BE(table + 6)
  const ends = table + 14
  const starts = ends + doubledCount + 2
  return Array.from({ length: doubledCount / 2 }, (_, index): [number, number] => [
    file.readUInt16BE(starts + index * 2),
    Math.min(file.readUInt16BE(ends + index * 2), 0xfffe), // the last segment only marks the end
  ])
}
