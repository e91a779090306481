import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export type JsonFile = {
  /** The last state that was written whole; `undefined` when there is none. */
  read(): unknown
  /** Writes soon, at most `delayMs` after the first call since the last write. */
  schedule(): void
  /** Writes now, if something is scheduled. */
  flush(): void
}

type Options = { path: string; current: () => unknown; delayMs?: number }

/** One JSON value in a file that is always whole, whenever the process is killed. */
export function createJsonFile({ path, current, delayMs = 150 }: Options): JsonFile {
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    if (!timer) return
    clearTimeout(timer)
    timer = undefined
    writeWhole(path, JSON.stringify(current()))
  }

  return {
    read() {
      try {
        return JSON.parse(readFileSync(path, 'utf8'))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw new Error(`${path} cannot be read; start with --fresh to begin anew`, { cause: error })
      }
    },
    schedule() {
      timer ??= setTimeout(flush, delayMs)
    },
    flush,
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
