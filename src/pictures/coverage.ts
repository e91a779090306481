import { readFileSync } from 'node:fs'

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
