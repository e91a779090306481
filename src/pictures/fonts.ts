import { existsSync } from 'node:fs'
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

/**
 * Makes sure that every font can be drawn with: without its font resvg draws a picture with no text and no error.
 * Throws an `Error` that names the file and what is wrong with it.
 */
export function assertFonts(fonts: CardFonts): void {
  for (const [weight, path] of Object.entries(fonts)) {
    if (!existsSync(path)) throw new Error(`The ${weight} font of the result card is missing: ${path}`)
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text font-family="${FONT_FAMILY}">پژ</text></svg>`
    if (!new Resvg(svg, fontOptions([path])).getBBox()) {
      throw new Error(`The ${weight} font of the result card cannot be drawn with: ${path}`)
    }
  }
}
