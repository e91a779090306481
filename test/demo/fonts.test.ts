import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { decompress } from 'woff2-encoder'
import { bundledFonts } from '../../src/pictures/fonts.ts'

/** A table of a TTF: `cmap` lists its letters, `name` its version, and `hmtx` the width of each letter. */
function table(font: Buffer, wanted: string): Buffer {
  const tables = font.readUInt16BE(4)
  const entries = Array.from({ length: tables }, (_, index) =>
    font.subarray(12 + index * 16, 28 + index * 16),
  )
  const entry = entries.find((each) => each.toString('latin1', 0, 4) === wanted)
  const [offset, length] = [entry?.readUInt32BE(8) ?? 0, entry?.readUInt32BE(12) ?? 0]
  return font.subarray(offset, offset + length)
}

test.each(Object.values(bundledFonts()))('the page uses the same font as the pictures, %s', async (path) => {
  const name = path.replace(/^.*[\\/](.+)\.ttf$/, '$1.woff2')
  const packed = readFileSync(new URL(`../../tools/demo/page/fonts/${name}`, import.meta.url))
  const [page, picture] = [Buffer.from(await decompress(packed)), readFileSync(path)]
  for (const part of ['cmap', 'name', 'hmtx']) {
    expect(table(page, part).length, part).toBeGreaterThan(100)
    expect(table(page, part).equals(table(picture, part)), part).toBe(true)
  }
  expect(packed.length).toBeLessThan(picture.length / 2)
})
