import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Config, parseDataKey } from '../config.ts'

const KEY_BYTES = 32

type Given = Pick<Config, 'dataKeys' | 'dataKeyFile'> & Partial<Pick<Config, 'redisUrl'>>

/**
 * The keys that wrap the keyring: from `DATA_KEY`, else from `DATA_KEY_FILE`. With the embedded store the
 * file is created when it is missing. Throws an `Error` in plain words, without values.
 */
export async function loadDataKeys({ dataKeys, dataKeyFile, redisUrl }: Given): Promise<readonly Buffer[]> {
  if (dataKeys) return dataKeys
  const kept = await readKeys(dataKeyFile)
  if (kept) return kept
  if (redisUrl) throw new Error('DATA_KEY_FILE is not there: with REDIS_URL it has to hold DATA_KEY')
  return makeKey(dataKeyFile).catch(refuseToMake)
}

/** Like `loadDataKeys`, but never creates a key: returns none when the file is missing. */
export const findDataKeys = async ({ dataKeys, dataKeyFile }: Given): Promise<readonly Buffer[]> =>
  dataKeys ?? (await readKeys(dataKeyFile)) ?? []

/** What an operator should change about the key, one English sentence each. */
export async function keyAdvice({ dataKeys, dataKeyFile }: Given): Promise<string[]> {
  if (dataKeys || !(await isReadByOthers(dataKeyFile).catch(() => false))) return []
  return ['DATA_KEY_FILE can be read by other users: chmod 600']
}

/** Reads keys in the format of `DATA_KEY`: separated by commas. */
async function readKeys(file: string): Promise<readonly Buffer[] | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`DATA_KEY_FILE cannot be read (${error.code})`)
  })
  if (text === undefined) return undefined
  return text.split(',').map((one) => {
    const key = parseDataKey(one.trim())
    if (!key) throw new Error('DATA_KEY_FILE does not hold 32 bytes in base64')
    return key
  })
}

function refuseToMake(error: NodeJS.ErrnoException): never {
  // The system's error message contains the path.
  throw error.code === undefined ? error : new Error(`DATA_KEY_FILE cannot be made (${error.code})`)
}

/** Creates the file completely or not at all: a killed process, or two at once, leave one valid key. */
async function makeKey(file: string): Promise<readonly Buffer[]> {
  await mkdir(dirname(file), { recursive: true })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  try {
    const key = `${randomBytes(KEY_BYTES).toString('base64')}\n`
    await writeFile(draft, key, { flag: 'wx', mode: 0o600, flush: true })
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(draft, { force: true })
  }
  const made = await readKeys(file)
  if (!made) throw new Error('DATA_KEY_FILE vanished while it was made')
  return made
}

/** Whether users other than the owner have access to a file or folder. Windows has no such modes. */
export async function isReadByOthers(path: string): Promise<boolean> {
  if (process.platform === 'win32') return false
  const { mode } = await stat(path)
  return (mode & 0o077) !== 0
}
