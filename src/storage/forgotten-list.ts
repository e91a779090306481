import { access, appendFile, constants, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import { errorCode } from '../observe/scrub.ts'

/** Who was forgotten, each account by its keyed hash, with the epoch that this has begun (see `epochs`). */
export type Forgotten = ReadonlyMap<string, number>

/** The list of who was forgotten: outside of the store, so that an older one that is put back brings nobody back. */
export type ForgottenList = ReturnType<typeof openForgottenList>

const LINE = /^([\w-]{16}) (\d{1,15})$/

/**
 * Where the list lies: beside the key, which no copy of the store has; where nobody may write there (a key that is mounted,
 * or handed over by the system), beside the folder of the store, and failing that in it, where it outlives a restored file.
 */
const filesOf = ({ dataKeyFile, dataDir }: Where): string[] => [
  ...new Set([`${dataKeyFile}.forgotten`, `${dataDir}.forgotten`, join(dataDir, 'porsa.forgotten')]),
]
type Where = Pick<Config, 'dataKeyFile' | 'dataDir'>

/** Opens the list. */
export function openForgottenList(where: Where) {
  const files = filesOf(where)
  return {
    async read(): Promise<Forgotten> {
      const known = new Map<string, number>()
      for (const text of await Promise.all(files.map(readOrNothing)))
        for (const line of text.split('\n')) {
          const [, who = '', epoch] = LINE.exec(line) ?? []
          if (epoch !== undefined) known.set(who, Math.max(known.get(who) ?? 0, Number(epoch)))
        }
      return known
    },
    /** Resolves once it is on the disk; rejects where nobody may write. */
    async add(forgotten: Forgotten): Promise<void> {
      if (forgotten.size === 0) return
      // A line that a kill has cut off stays by itself.
      const text = `\n${[...forgotten].map(([who, epoch]) => `${who} ${epoch}\n`).join('')}`
      await firstThatTakes(files, (file) => appendFile(file, text, { mode: 0o600, flush: true }))
    },
  }
}

/** What an operator should change about the list, one English sentence each. Makes no file: somebody else may look. */
export async function forgottenAdvice(where: Where): Promise<string[]> {
  const mayWrite = (path: string) => access(path, constants.W_OK)
  const isThere = (error: unknown) => errorCode(error) !== 'ENOENT'
  const mayBegin = (file: string) =>
    mayWrite(file).catch((error: unknown) =>
      isThere(error) ? Promise.reject(error) : mayWrite(dirname(file)),
    )
  const isKept = await firstThatTakes(filesOf(where), mayBegin).then(
    () => true,
    () => false,
  )
  return isKept ? [] : [UNKEPT]
}

const UNKEPT =
  'nobody may write beside DATA_KEY_FILE or DATA_DIR: a copy of the storage that is put back brings back who was forgotten'

/** Tries one file after the other; rejects where none takes it. */
async function firstThatTakes(
  files: readonly string[],
  write: (file: string) => Promise<void>,
): Promise<void> {
  const [first, ...others] = files
  if (first === undefined) throw new Error('the list of who was forgotten cannot be written')
  await write(first).catch(() => firstThatTakes(others, write))
}

const readOrNothing = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: unknown) => {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return ''
    throw new Error(`the list of who was forgotten, beside the key, cannot be read (${code})`)
  })
