import { existsSync } from 'node:fs'
import { chmod, chown, copyFile, link, mkdir, mkdtemp, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate as pause } from 'node:timers/promises'
import { backup, DatabaseSync } from '@photostructure/sqlite'
import type { Config } from '../config.ts'
import { AwayError } from '../observe/away.ts'
import { errorCode } from '../observe/scrub.ts'
import { createRows } from './copy-file.ts'
import { findDataKeys } from './data-key.ts'
import { openKept } from './documents.ts'
import { findKeyring } from './keyring.ts'
import { createSqliteStore } from './sqlite.ts'
import {
  DamagedStore,
  lockFolder,
  makeFolder,
  openDatabase,
  refuseDamage,
  refuseHarmed,
} from './sqlite-database.ts'
import { NoStore, type Store } from './store.ts'
import { createVault, type Vault } from './vault.ts'

/** What a copy holds when it is opened with the key. `harmed` counts the documents that do not open. */
export type Copied = { documents: number; attempts: number; messages: number; harmed: number }

/**
 * Makes a copy of either store as it is at one moment, while the bot runs. The copy is a file of the embedded
 * store and is sealed like the store. It gets its final name only after it was opened with the key in a
 * scratch store and counted.
 */
export async function makeCopy(
  config: Config,
  folder: string,
  now: number,
  how?: Rehearsal,
): Promise<{ file: string; copied: Copied }> {
  const source = join(config.dataDir, 'porsa.db')
  if (!config.redisUrl && !existsSync(source))
    throw new NoStore('there is no store in DATA_DIR yet: start the bot first')
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(refuseFolder)
  return inScratch(mkdtemp(join(folder, '.copy-')).catch(refuseFolder), async (work) => {
    const made = join(work, 'porsa.db')
    const { redisUrl } = config
    if (redisUrl) {
      const { copyRedis } = await import('./redis-copy.ts')
      await withRows(work, (rows) => copyRedis(redisUrl, rows))
    } else await copyEmbedded(source, made)
    const copied = await rehearse(config, made, how).catch(redisUrl ? undefined : refuseDamage)
    await chmod(made, 0o600)
    await sync(made)
    const stamp = new Date(now).toISOString().replace(/[-:.]/g, '')
    const file = join(folder, `porsa-${stamp}.db`)
    await rename(made, file)
    await sync(folder)
    return { file, copied }
  })
}

/** Runs an action in a new folder and removes the folder afterwards. */
async function inScratch<T>(made: Promise<string>, act: (folder: string) => Promise<T>): Promise<T> {
  const folder = await made
  return act(folder).finally(() => rm(folder, { recursive: true, force: true }))
}

function refuseFolder(error: unknown): never {
  throw new Error(`the folder for copies cannot be written (${errorCode(error)})`)
}

/** SQLite's own backup, next to the process that writes: a snapshot of one moment, off the event loop. */
async function copyEmbedded(source: string, made: string): Promise<void> {
  if ((await stat(source)).size === 0) throw new DamagedStore()
  const db = new DatabaseSync(source, { readOnly: true })
  try {
    await backup(db, made, { rate: -1 }).catch(refuseDamage)
  } finally {
    db.close()
  }
}

type Rehearsal = {
  act?: (opened: { store: Store; vault: Vault }) => Promise<unknown>
  /** Reads every page first. For a large file this takes seconds and blocks the event loop. */
  isThorough?: true
}

/** Opens a duplicate of a copy with the key, as the bot would; reads and counts everything, or throws. */
export async function rehearse(config: Config, file: string, how: Rehearsal = {}): Promise<Copied> {
  const { act, isThorough } = how
  return inScratch(mkdtemp(join(dirname(file), '.rehearsal-')).catch(refuseFolder), async (scratch) => {
    await copyFile(file, join(scratch, 'porsa.db'))
    if (isThorough) await refuseHarmed(scratch)
    const store = await createSqliteStore({ dir: scratch, now: Date.now })
    try {
      const keyring = await findKeyring(store, await findDataKeys(config))
      if (!keyring) throw new NoStore('there is no keyring in it: it is no copy of a store')
      const vault = createVault(keyring)
      await act?.({ store, vault })
      return await count(scratch, vault)
    } finally {
      await store.close()
    }
  })
}

/** Runs an action on the rows of the copy in this folder, and closes the file afterwards. */
async function withRows<T>(
  dir: string,
  act: (rows: ReturnType<typeof createRows>) => Promise<T>,
  mode?: 'read',
): Promise<T> {
  const db = await openDatabase(dir, mode)
  try {
    return await act(createRows(db))
  } finally {
    db.close()
  }
}

/** Values that are no documents: attempts, sessions, the store's notes about the service and itself. */
const NO_DOCUMENT = /^(?:s|session|accepted|budget|trouble):/

const count = (dir: string, vault: Vault): Promise<Copied> =>
  withRows(
    dir,
    async (rows) => {
      const copied: Copied = { documents: 0, attempts: 0, messages: 0, harmed: 0 }
      let turn = 0
      for (const entry of rows.entries()) {
        if (++turn % 500 === 0) await pause()
        if (entry.key.startsWith('s:')) copied.attempts += 1
        if (!/^[a-z]+:/.test(entry.key) || NO_DOCUMENT.test(entry.key)) continue
        copied.documents += 1
        try {
          openKept(vault, entry.key, entry)
        } catch {
          copied.harmed += 1
        }
      }
      for (const _ of rows.messages()) copied.messages += 1
      if (copied.documents > 0 && copied.harmed === copied.documents)
        throw new Error('nothing in the copy opens with this key')
      return copied
    },
    'read',
  )

/** Replaces the store, used by no bot, by a copy, or changes nothing. Keeps a damaged store as `aside`. */
export async function putBack({ redisUrl, dataDir }: Config, file: string, aside?: string): Promise<void> {
  if (redisUrl) {
    await inScratch(mkdtemp(join(dirname(file), '.copy-')), async (work) => {
      await copyFile(file, join(work, 'porsa.db'))
      const { restoreRedis } = await import('./redis-copy.ts')
      await withRows(work, (rows) => restoreRedis(redisUrl, rows))
    })
  } else await putBackEmbedded(dataDir, file, aside)
}

async function putBackEmbedded(dir: string, file: string, aside?: string): Promise<void> {
  await makeFolder(dir)
  const owner = await stat(dir)
  await inScratch(mkdtemp(join(dir, '.restore-')), async (work) => {
    await copyFile(file, join(work, 'porsa.db'))
    const copy = await openDatabase(work)
    // Give the restored store a new life: it does not know what was sent since the copy was made.
    copy.prepare("DELETE FROM entry WHERE key = '#life'").run()
    copy.close()
    const made = join(work, 'porsa.db')
    await sync(made)
    const unlock = await lockFolder(dir)
    try {
      await (aside === undefined ? endReading(dir) : keepDamaged(dir, aside))
      await rename(made, join(dir, 'porsa.db'))
      await sync(dir)
    } finally {
      unlock()
    }
    if (process.getuid?.() === 0)
      for (const name of ['porsa.db', 'porsa.lock']) {
        await chown(join(dir, name), owner.uid, owner.gid)
      }
  })
}

/** Empties the write-ahead log, which belongs to the store that is replaced. */
async function endReading(dir: string): Promise<void> {
  await openDatabase(dir, 'beside').then(
    (db) => db.close(),
    () => undefined,
  )
  if (existsSync(join(dir, 'porsa.db-wal')))
    throw new AwayError('another process reads the store: end it first')
}

/** Keeps the file in place as well until the copy replaces it: a start never creates an empty store. */
async function keepDamaged(dir: string, aside: string): Promise<void> {
  await link(join(dir, 'porsa.db'), join(dir, aside))
  for (const end of ['-wal', '-shm'])
    if (existsSync(join(dir, `porsa.db${end}`)))
      await rename(join(dir, `porsa.db${end}`), join(dir, `${aside}${end}`))
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}
