import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { z } from 'zod'

type JsonFile<T> = {
  /** The last state that was written whole; `undefined` when there is none. Throws when it is not one of ours. */
  read(): T | undefined
  /** Writes soon, at most `delayMs` after the first call since the last write. */
  schedule(): void
  /** Writes now, if something is scheduled. */
  flush(): void
  /** Writes what is scheduled, and nothing afterwards. */
  close(): void
}

type Options<T> = {
  path: string
  schema: z.ZodType<T>
  current: () => T
  delayMs?: number
  /** How soon a write that failed is tried again. */
  retryMs?: number
  /** The file cannot be written, with the code of the system's error; told once until it can be written again. */
  onFailure?: (code: string) => void
}

/** One JSON value in a file that is always whole, whenever the process is killed. */
export function createJsonFile<T>(options: Options<T>): JsonFile<T> {
  const { path, schema, current, delayMs = 150, retryMs = 5000, onFailure } = options
  let timer: NodeJS.Timeout | undefined
  let hasFailed = false
  let isClosed = false

  function flush(): void {
    if (!timer) return
    clearTimeout(timer)
    timer = undefined
    try {
      writeWhole(path, JSON.stringify(current()))
      hasFailed = false
    } catch (error) {
      if (!hasFailed) onFailure?.((error as NodeJS.ErrnoException).code ?? 'unknown')
      hasFailed = true
      timer = setTimeout(flush, retryMs)
    }
  }

  return {
    read() {
      try {
        return schema.parse(JSON.parse(readFileSync(path, 'utf8')))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw new Error(`${path} cannot be read; start with --fresh to begin anew`, { cause: error })
      }
    },
    schedule() {
      if (!isClosed) timer ??= setTimeout(flush, delayMs)
    },
    flush,
    close() {
      isClosed = true
      flush()
      clearTimeout(timer)
    },
  }
}

/** The new content reaches the disk under another name before it takes the old one's place. */
function writeWhole(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.new`
  const file = openSync(draft, 'w', 0o600)
  try {
    writeFileSync(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(draft, path)
}
