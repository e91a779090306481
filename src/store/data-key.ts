import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname, resolve, sep } from 'node:path'

const keyBytes = 32

/**
 * Finds the keys that wrap the keyring: those of `DATA_KEY`, else (embedded store only) the one in `DATA_KEY_FILE`,
 * which is made once. Throws an `Error` in plain words, without values.
 */
export async function loadDataKeys(given: {
  dataKeys?: readonly Buffer[] | undefined
  dataKeyFile: string
  dataDir: string
  redis: boolean
}): Promise<readonly Buffer[]> {
  const { dataKeys, dataKeyFile, dataDir, redis } = given
  if (dataKeys?.length) {
    if (dataKeys.some((key) => key.length !== keyBytes))
      throw new Error('DATA_KEY must be 32 bytes in base64')
    return dataKeys
  }
  if (redis) throw new Error('DATA_KEY is required with REDIS_URL')
  // Whoever copies the data must not copy the key along with it.
  if (`${resolve(dataKeyFile)}${sep}`.startsWith(`${resolve(dataDir)}${sep}`)) {
    throw new Error('DATA_KEY_FILE must not lie inside DATA_DIR')
  }
  return [(await readKey(dataKeyFile)) ?? (await makeKey(dataKeyFile).catch(refuseToMake))]
}

async function readKey(file: string): Promise<Buffer | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`DATA_KEY_FILE cannot be read (${error.code})`)
  })
  if (text === undefined) return undefined
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== keyBytes) throw new Error('DATA_KEY_FILE does not hold 32 bytes in base64')
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
    await handle.writeFile(`${randomBytes(keyBytes).toString('base64')}\n`)
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
