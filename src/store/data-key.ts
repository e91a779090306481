import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Config, parseDataKey } from '../config.ts'

const KEY_BYTES = 32

/**
 * The keys that wrap the keyring: those of `DATA_KEY`, else (embedded store only) the one in `DATA_KEY_FILE`, which is
 * made once. Throws an `Error` in plain words, without values.
 */
export async function loadDataKeys({
  dataKeys,
  dataKeyFile,
}: Pick<Config, 'dataKeys' | 'dataKeyFile'>): Promise<readonly Buffer[]> {
  return dataKeys ?? [(await readKey(dataKeyFile)) ?? (await makeKey(dataKeyFile).catch(refuseToMake))]
}

async function readKey(file: string): Promise<Buffer | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`DATA_KEY_FILE cannot be read (${error.code})`)
  })
  if (text === undefined) return undefined
  const key = parseDataKey(text.trim())
  if (!key) throw new Error('DATA_KEY_FILE does not hold 32 bytes in base64')
  return key
}

function refuseToMake(error: NodeJS.ErrnoException): never {
  // The words of the system repeat the path.
  throw error.code === undefined ? error : new Error(`DATA_KEY_FILE cannot be made (${error.code})`)
}

/** Makes the file whole or not at all: a process killed on the way, or two at once, leave one good key. */
async function makeKey(file: string): Promise<Buffer> {
  await mkdir(dirname(file), { recursive: true })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${randomBytes(KEY_BYTES).toString('base64')}\n`)
    await handle.sync()
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await handle.close()
    await rm(draft)
  }
  const key = await readKey(file)
  if (!key) throw new Error('DATA_KEY_FILE vanished while it was made')
  return key
}
