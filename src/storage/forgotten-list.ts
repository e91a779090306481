import { access, appendFile, constants, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import { errorCode } from '../observe/scrub.ts'

/** The forgotten accounts by keyed hash, each with the epoch that its /forget began (see `epochs`). */
export type Forgotten = ReadonlyMap<string, number>

/** The list of forgotten accounts, outside of the store: a restored older store brings no account back. */
export type ForgottenList = ReturnType<typeof openForgottenList>

const LINE = /^([\w-]{16}) (\d{1,15})$/

/**
 * The files of the list, in order of preference: next to the key, which no copy of the store contains; if
 * that place is not writable (a key that is mounted or passed by the system), next to the store's folder;
 * else in that folder, where the list survives a restore of the file.
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
    /** Resolves once the list is on disk; rejects if no file is writable. */
    async add(forgotten: Forgotten): Promise<void> {
      if (forgotten.size === 0) return
      // The leading line break separates this text from a line that a killed process cut off.
      const text = `\n${[...forgotten].map(([who, epoch]) => `${who} ${epoch}\n`).join('')}`
      await firstThatTakes(files, (file) => appendFile(file, text, { mode: 0o600, flush: true }))
    },
  }
}

/** Advice for the operator about the list, one English sentence each. Creates no file: any user may ask. */
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

/** Tries one file after another; rejects if none is writable. */
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
