import { renderAsync } from '@resvg/resvg-js'
import { renderSVG, renderUnicodeCompact } from 'uqr'
import { encodePng } from './png.ts'

/** Scanners need four modules of white around a code. */
const CODE = { ecc: 'M', border: 4 } as const
const SIDE_PX = 720
const CRISP_EDGES = 1

/** A QR code as a picture that can be printed at any size. */
export const qrSvg = (text: string): string => renderSVG(text, { ...CODE, pixelSize: 1 })

/** A QR code as a PNG for a chat. */
export async function qrPng(text: string): Promise<Buffer> {
  const { pixels, width, height } = await renderAsync(qrSvg(text), {
    fitTo: { mode: 'width', value: SIDE_PX },
    shapeRendering: CRISP_EDGES,
  })
  return encodePng(pixels, width, height)
}

/** A QR code in the characters of a terminal, for a dark background. */
export const qrText = (text: string): string => renderUnicodeCompact(text, CODE)
