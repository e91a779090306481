import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ResvgRenderOptions } from '@resvg/resvg-js'
import { Resvg } from '@resvg/resvg-js'
import { readCoverage } from './coverage.ts'

/** Paths of the three cuts of Vazirmatn, as TTF files (resvg reads no woff2). */
export type CardFonts = { regular: string; medium: string; bold: string }

export type Weight = keyof CardFonts

export const FONT_FAMILY = 'Vazirmatn'
export const fontWeight = { regular: 400, medium: 500, bold: 700 } as const satisfies Record<Weight, number>

/** The fonts that come with the bot; they lie in `src/` also when the code runs from `dist/`. */
export const bundledFonts = (): CardFonts => ({
  regular: bundled('Vazirmatn-Regular.ttf'),
  medium: bundled('Vazirmatn-Medium.ttf'),
  bold: bundled('Vazirmatn-Bold.ttf'),
})

const bundled = (file: string) => fileURLToPath(new URL(`../../src/pictures/fonts/${file}`, import.meta.url))

/** How resvg is told to use these files and no other font, so that a card looks the same on every machine. */
export function fontOptions(fontFiles: string[]): ResvgRenderOptions {
  return { font: { fontFiles, loadSystemFonts: false, defaultFontFamily: FONT_FAMILY } }
}

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
