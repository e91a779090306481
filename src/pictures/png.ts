import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { constants, crc32, deflate } from 'node:zlib'

const deflateAsync = promisify(deflate)

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const PALETTE = 3
/** The bits of a colour that count: all, then the upper four of each sample, then two, which is enough. */
const EXACT = -1
const MASKS = [EXACT, 0xf0f0f0]
const COARSEST = 0xc0c0c0
/** Rows that are processed before the event loop gets its turn (about a millisecond). */
const BAND = 200
/** A longer run is filled at once, which is faster. */
const SHORT_RUN = 16

/**
 * Writes opaque RGBA pixels as a PNG. A card has a few dozen colours, so a palette makes it small;
 * compressing happens in the thread pool. If there are too many colours, similar ones become one, except the
 * `plain` ones (`#rrggbb`), which cover areas. (resvg's own `asPng` would block the event loop for 20 ms.)
 */
export async function encodePng(
  pixels: Buffer,
  width: number,
  height: number,
  plain: readonly string[] = [],
): Promise<Buffer> {
  const { rows, palette } = await indexColours(pixels, width, height, plain.map(colourOf))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8 // bits per sample
  header[9] = PALETTE
  const data = await deflateAsync(rows, { level: 6, memLevel: 9, strategy: constants.Z_RLE })
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/**
 * The picture as palette indices, with a filter byte (none) before each row. Colours that are equal under the
 * mask count as one. Above 256 colours the next mask is taken.
 */
async function indexColours(
  pixels: Buffer,
  width: number,
  height: number,
  plain: readonly number[],
  [mask = COARSEST, ...coarser]: readonly number[] = MASKS,
): Promise<{ rows: Buffer; palette: Buffer }> {
  // Signed, because V8 keeps 32 signed bits as a small integer and looks them up much faster.
  const colours = new Int32Array(pixels.buffer, pixels.byteOffset, width * height)
  const palette = mask === EXACT ? [] : [...plain]
  const known = new Map(palette.map((colour, index) => [colour, index]))
  const indices = new Map(palette.map((colour, index) => [colour & mask, index]))
  const rows = Buffer.alloc(height * (width + 1))
  let previous: number | undefined
  let index = 0
  for (let y = 0; y < height; y++) {
    if (y % BAND === BAND - 1) await setImmediate()
    const row = y * (width + 1) + 1
    const [above, here, below] = [y - 1, y, y + 1].map((line) => line * width * 4)
    if (y > 0 && pixels.compare(pixels, above, here, here, below) === 0) {
      rows.copyWithin(row, row - width - 1, row - 1) // most rows of a card repeat: white space, bars
      continue
    }
    const first = y * width
    for (let from = 0, to = 0; from < width; from = to) {
      const colour = colours[first + from] ?? 0
      do to++
      while (to < width && colours[first + to] === colour)
      if (colour !== previous) {
        previous = colour
        index = known.get(colour) ?? indices.get(colour & mask) ?? palette.length
        if (index === palette.length) {
          indices.set(colour & mask, index)
          palette.push(colour)
        }
        if (index > 255) return indexColours(pixels, width, height, plain, coarser)
      }
      if (to - from < SHORT_RUN) for (let x = from; x < to; x++) rows[row + x] = index
      else rows.fill(index, row + from, row + to)
    }
  }
  const rgba = Buffer.from(new Int32Array(palette).buffer)
  return { rows, palette: Buffer.from(rgba.filter((_, position) => position % 4 !== 3)) }
}

/** An opaque colour as the number that is read from its pixel. */
const colourOf = (hex: string): number => Buffer.from(`${hex.slice(1)}ff`, 'hex').readInt32LE(0)

function chunk(type: string, data: Uint8Array) {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
