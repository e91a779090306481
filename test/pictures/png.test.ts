import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { encodePng } from '../../src/pictures/png.ts'

/** Opaque pixels in this number of colours. */
function picture(width: number, height: number, colours: number) {
  const pixels = Buffer.alloc(width * height * 4, 255)
  for (let at = 0; at < width * height; at++) pixels.writeUInt16BE(Math.floor(at / 3) % colours, at * 4)
  return pixels
}

test.each([
  [1, 3],
  [2, 3],
  [256, 3],
])('%i colours are kept exactly', async (colours, colourType) => {
  const pixels = picture(301, 450, colours)
  const png = await encodePng(pixels, 301, 450)
  expect(png[25]).toBe(colourType) // IHDR: 3 is a palette, 6 is RGBA
  const read = PNG.sync.read(png)
  expect([read.width, read.height]).toEqual([301, 450])
  expect(read.data.equals(pixels)).toBe(true)
})

test('nearly equal colours are merged if there are too many, except the plain ones', async () => {
  const pixels = picture(301, 450, 5000)
  const plain = Buffer.from([pixels[3 * 4] ?? 0, pixels[3 * 4 + 1] ?? 0, 255])
  const png = await encodePng(pixels, 301, 450, [`#${plain.toString('hex')}`])
  expect(png[25]).toBe(3)
  const read = PNG.sync.read(png).data
  const distances = Array.from(read, (value, at) => Math.abs(value - (pixels[at] ?? 0)))
  expect(Math.max(...distances.slice(0, 4000))).toBeLessThan(16)
  expect(read.subarray(3 * 4, 3 * 4 + 3)).toEqual(plain)
})

test('a picture that is not a drawing gets a palette too, as PDF pages need it', async () => {
  const pixels = Buffer.alloc(200 * 200 * 4, 255)
  for (let at = 0; at < 200 * 200; at++) pixels.writeUInt32LE((0xff000000 | (at * 419)) >>> 0, at * 4)
  const png = await encodePng(pixels, 200, 200)
  expect(png[25]).toBe(3)
  const distances = Array.from(PNG.sync.read(png).data, (value, at) => Math.abs(value - (pixels[at] ?? 0)))
  expect(distances.reduce((most, each) => Math.max(most, each))).toBeLessThan(64)
})
