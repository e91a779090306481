import { randomBytes } from 'node:crypto'
import type { Blobs } from './blobs.ts'
import { imageSize } from './image-size.ts'
import { badRequest, tooLarge } from './refusal.ts'
import type { FileState } from './state.ts'
import type { WireDocument, WirePhotoSize } from './wire.ts'
import type { World } from './world.ts'

const MAX_UPLOAD = 50 * 2 ** 20
const MAX_PHOTO = 10 * 2 ** 20
const MAX_PHOTO_SIDES = 10_000
const MAX_PHOTO_RATIO = 20
/** The largest file that a bot may download. */
export const MAX_DOWNLOAD = 20 * 2 ** 20

const MIME_TYPES: Record<string, string> = {
  html: 'text/html',
  txt: 'text/plain',
  csv: 'text/csv',
  json: 'application/json',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  ogg: 'audio/ogg',
  webp: 'image/webp',
}

type NewFile = { kind: FileState['kind']; fileName: string; bytes: Buffer }

export type FileShelf = ReturnType<typeof createFileShelf>

/** Files that either side sent, with Telegram's limits. */
export function createFileShelf(world: World, blobs: Blobs) {
  const { state } = world
  return {
    add({ kind, fileName, bytes }: NewFile): FileState {
      if (bytes.length > MAX_UPLOAD) throw tooLarge()
      if (bytes.length === 0) throw badRequest('file must be non-empty')
      const size = kind === 'photo' ? photoSize(bytes) : {}
      const number = ++state.counters.file
      const extension =
        kind === 'photo' ? 'jpg' : (/\.([A-Za-z0-9]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? 'dat')
      const uniqueId = `${number}-${randomBytes(9).toString('base64url')}`
      const file: FileState = {
        kind,
        uniqueId,
        fileId: `${kind}-${uniqueId}-${randomBytes(15).toString('base64url')}`,
        path: `${kind}s/file_${number}.${extension}`,
        fileName,
        mimeType: kind === 'photo' ? photoType(bytes) : (MIME_TYPES[extension] ?? 'application/octet-stream'),
        size: bytes.length,
        ...size,
      }
      blobs.write(uniqueId, bytes)
      state.files.push(file)
      world.changed()
      return file
    },
    byId: (fileId: string) => state.files.find((file) => file.fileId === fileId),
    byPath: (path: string) => state.files.find((file) => file.path === path),
    bytes: (file: FileState) => blobs.read(file.uniqueId),
  }
}

function photoSize(bytes: Buffer) {
  if (bytes.length > MAX_PHOTO) {
    throw badRequest(
      `file of size ${bytes.length} bytes is too big for a photo; the maximum size is ${MAX_PHOTO} bytes`,
    )
  }
  const size = imageSize(bytes)
  if (!size || size.width === 0 || size.height === 0) throw badRequest('IMAGE_PROCESS_FAILED')
  const { width, height } = size
  const ratio = Math.max(width / height, height / width)
  if (width + height > MAX_PHOTO_SIDES || ratio > MAX_PHOTO_RATIO)
    throw badRequest('PHOTO_INVALID_DIMENSIONS')
  return size
}

const photoType = (bytes: Buffer) => (bytes[0] === 0x89 ? 'image/png' : 'image/jpeg')

/** A file as Telegram describes a document. */
export function wireDocument({ fileId, uniqueId, fileName, mimeType, size }: FileState): WireDocument {
  return {
    file_id: fileId,
    file_unique_id: uniqueId,
    file_name: fileName,
    mime_type: mimeType,
    file_size: size,
  }
}

/** A file as Telegram describes a photo. */
export function wirePhoto({ fileId, uniqueId, width = 0, height = 0, size }: FileState): WirePhotoSize[] {
  return [{ file_id: fileId, file_unique_id: uniqueId, width, height, file_size: size }]
}
