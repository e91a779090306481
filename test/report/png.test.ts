import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { encodePng } from '../../src/report/png.ts'

/** Opaque pixels of the given number of colours, rows of every length of run. */
function picture(width: number, height: number, colours: number) {
  const pixels = Buffer.alloc(width * height * 4, 255)
  for (let at = 0; at < width * height; at++) pixels.writeUInt16BE(Math.floor(at / 3) % colours, at * 4)
  return pixels
}

test.each([
  [1, 3],
  [2, 3],
  [256, 3],
  [257, 6],
  [5000, 6],
])('%i colours are kept exactly', async (colours, colourType) => {
  const pixels = picture(301, 450, colours)
  const png = await encodePng(pixels, 301, 450)
  expect(png[25]).toBe(colourType) // IHDR: 3 is a palette, 6 is RGBA
  const read = PNG.sync.read(png)
  expect([read.width, read.height]).toEqual([301, 450])
  expect(read.data.equals(pixels)).toBe(true)
})
