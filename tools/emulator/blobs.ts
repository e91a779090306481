import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Storage for the bytes of files, by unique id. */
export type Blobs = {
  write(id: string, bytes: Buffer): void
  read(id: string): Buffer | undefined
}

/** Keeps the bytes of files in memory. */
export function memoryBlobs(): Blobs {
  const kept = new Map<string, Buffer>()
  return { write: (id, bytes) => void kept.set(id, bytes), read: (id) => kept.get(id) }
}

/** One file for each blob in a directory, which the first write makes; ids are made by the emulator. */
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
