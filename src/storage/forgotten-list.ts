import { open, readFile } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { errorCode } from '../observe/scrub.ts'

/** Who was forgotten, each account by its keyed hash, with the epoch that this has begun (see `epochs`). */
export type Forgotten = ReadonlyMap<string, number>

/** The list of who was forgotten: outside of the store, so that an older one that is put back brings nobody back. */
export type ForgottenList = {
  read(): Promise<Forgotten>
  /** Resolves once it is on the disk; rejects where nobody may write. */
  add(forgotten: Forgotten): Promise<void>
}

const LINE = /^([\w-]{16}) (\d{1,15})$/

/**
 * Opens the list. It lies beside the key, which no copy of the store has; where nobody may write there (a key that is
 * mounted, or given by the system), beside the folder of the store.
 */
export function openForgottenList({
  dataKeyFile,
  dataDir,
}: Pick<Config, 'dataKeyFile' | 'dataDir'>): ForgottenList {
  const files = [...new Set([`${dataKeyFile}.forgotten`, `${dataDir}.forgotten`])]
  return {
    async read() {
      const known = new Map<string, number>()
      for (const text of await Promise.all(files.map(readOrNothing)))
        for (const line of text.split('\n')) {
          const [, who = '', epoch] = LINE.exec(line) ?? []
          if (epoch !== undefined) known.set(who, Math.max(known.get(who) ?? 0, Number(epoch)))
        }
      return known
    },
    async add(forgotten) {
      if (forgotten.size === 0) return
      // A line that a kill has cut off stays by itself.
      const text = `\n${[...forgotten].map(([who, epoch]) => `${who} ${epoch}\n`).join('')}`
      const [first, second = first] = files
      await append(first, text).catch(() => append(second, text))
    },
  }
}

const readOrNothing = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: unknown) => {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return ''
    throw new Error(`the list of who was forgotten, beside the key, cannot be read (${code})`)
  })

async function append(file = '', text: string): Promise<void> {
  const handle = await open(file, 'a', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
