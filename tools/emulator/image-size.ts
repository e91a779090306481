type ImageSize = { width: number; height: number }

/** Width and height of a PNG or JPEG, `undefined` when the bytes are neither. */
export function imageSize(bytes: Buffer): ImageSize | undefined {
  if (bytes.length >= 24 && bytes.readUInt32BE(0) === 0x89504e47) {
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  }
  return bytes.length >= 4 && bytes.readUInt16BE(0) === 0xffd8 ? jpegSize(bytes) : undefined
}

/** The frame header holds the size: the first segment C0 to CF that is not a table (C4, C8, CC). */
function jpegSize(bytes: Buffer): ImageSize | undefined {
  let pos = 2
  while (pos + 9 <= bytes.length && bytes[pos] === 0xff) {
    const marker = bytes[pos + 1] ?? 0
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { height: bytes.readUInt16BE(pos + 5), width: bytes.readUInt16BE(pos + 7) }
    }
    pos += 2 + bytes.readUInt16BE(pos + 2)
  }
  return undefined
}
