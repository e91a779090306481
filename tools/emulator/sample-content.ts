import { randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import type { FileKind } from './chat.ts'
import { type FileShelf, wireDocument, wirePhoto } from './file-shelf.ts'
import type { WireContent } from './wire.ts'

/** One message of each kind that a bot for questionnaires does not expect. */
export function sampleContent(files: FileShelf, kind: FileKind): WireContent {
  switch (kind) {
    case 'document':
      return {
        document: wireDocument(files.add({ kind, fileName: 'note.txt', bytes: Buffer.from('یادداشت') })),
      }
    case 'photo':
      return { photo: wirePhoto(files.add({ kind, fileName: 'photo.jpg', bytes: samplePng(64) })) }
    case 'voice': {
      const { fileId, uniqueId, size } = files.add({
        kind,
        fileName: 'voice.ogg',
        bytes: Buffer.from('OggS'),
      })
      const mime = { mime_type: 'audio/ogg', file_size: size }
      return { voice: { file_id: fileId, file_unique_id: uniqueId, duration: 2, ...mime } }
    }
    case 'sticker': {
      const id = { file_id: `sticker-${randomBytes(9).toString('base64url')}`, file_unique_id: 'smile' }
      const flags = { type: 'regular' as const, is_animated: false, is_video: false }
      return { sticker: { ...id, ...flags, width: 512, height: 512, emoji: '🙂' } }
    }
    case 'location':
      return { location: { latitude: 35.6892, longitude: 51.389 } }
  }
}

/** A square of one colour as PNG. */
function samplePng(side: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(side * 3, Buffer.from([0x33, 0x90, 0xec]))])
  const pixels = deflateSync(Buffer.concat(Array.from({ length: side }, () => row)))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
