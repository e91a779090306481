import { renderAsync } from '@resvg/resvg-js'
import { encode, renderUnicodeCompact } from 'uqr'
import { encodePng } from './png.ts'

/** Scanners need four modules of white around a code. */
const CODE = { ecc: 'M', border: 4 } as const
const SIDE_PX = 720

/** A QR code as a picture that can be printed at any size. */
export function qrSvg(text: string): string {
  const { size, data } = encode(text, CODE)
  const path = data.flatMap((row, y) => runs(row).map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path.join('')}"/></svg>`
}

/** A QR code as a PNG for a chat. */
export async function qrPng(text: string): Promise<Buffer> {
  const { pixels, width, height } = await renderAsync(qrSvg(text), {
    fitTo: { mode: 'width', value: SIDE_PX },
  })
  return encodePng(pixels, width, height)
}

/** A QR code in the characters of a terminal, for a dark background. */
export const qrText = (text: string): string => renderUnicodeCompact(text, CODE)

/** The runs of dark modules in a row: where each begins, and its length. */
function runs(row: readonly boolean[]): [number, number][] {
  const found: [number, number][] = []
  for (let x = 0; x < row.length; x += 1) {
    const [last] = found.slice(-1)
    if (!row[x]) continue
    if (last && last[0] + last[1] === x) last[1] += 1
    else found.push([x, 1])
  }
  return found
}
