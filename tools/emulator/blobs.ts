import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the bytes of files lie, by unique id. */
export type Blobs = {
  write(id: string, bytes: Buffer): void
  read(id: string): Buffer | undefined
}

/** Keeps the bytes of files in memory. */
export function memoryBlobs(): Blobs {
  const kept = new Map<string, Buffer>()
  return { write: (id, bytes) => void kept.set(id, bytes), read: (id) => kept.get(id) }
}

/** One file each in a directory, which is made when it is first needed; ids are the emulator's own. */
export function directoryBlobs(directory: string): Blobs {
  return {
    write(id, bytes) {
      mkdirSync(directory, { recursive: true })
      writeFileSync(join(directory, id), bytes, { mode: 0o600, flush: true })
    },
    read(id) {
      try {
        return readFileSync(join(directory, id))
      } catch {
        return undefined
      }
    },
  }
}
