import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { z } from 'zod'

type JsonFile<T> = {
  /** The last state that was written completely; `undefined` if there is none. Throws for a foreign file. */
  read(): T | undefined
  /** Writes soon: at most `delayMs` after the first call since the last write. */
  schedule(): void
  /** Writes at once, if a write is scheduled. */
  flush(): void
  /** Does the scheduled write, and no further ones. */
  close(): void
}

type Options<T> = {
  path: string
  schema: z.ZodType<T>
  current: () => T
  delayMs?: number
  /** The delay before a failed write is repeated. */
  retryMs?: number
  /** Called once per series of failed writes, with the code of the system's error. */
  onFailure?: (code: string) => void
}

/** One JSON value in a file that is always complete, even if the process is killed. */
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

/** Writes the new content under another name first, and then replaces the old file with it. */
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
