import { chmod, mkdir, open as openFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { z } from 'zod'
import { AwayError } from '../observe/away.ts'
import { errorCode } from '../observe/scrub.ts'

/** An open database. */
export type Database = Awaited<ReturnType<typeof openDatabase>>

const SCHEMA_VERSION = 3
/** A new file has 0. Version 2 stored the table of `ACTORS` on disk. */
const READABLE: readonly number[] = [0, 2, SCHEMA_VERSION]

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS entry (
    key TEXT PRIMARY KEY, value BLOB NOT NULL, version TEXT NOT NULL, expires_at INTEGER
  );
  CREATE INDEX IF NOT EXISTS entry_by_expiry ON entry (expires_at) WHERE expires_at IS NOT NULL;

  CREATE TABLE IF NOT EXISTS listed (
    id TEXT PRIMARY KEY, list TEXT NOT NULL, at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS listed_in_order ON listed (list, at, id);
  CREATE TABLE IF NOT EXISTS listed_total (list TEXT PRIMARY KEY, total INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TRIGGER IF NOT EXISTS listed_in AFTER INSERT ON listed BEGIN
    INSERT INTO listed_total (list, total) VALUES (new.list, 1) ON CONFLICT (list) DO UPDATE SET total = total + 1;
  END;
  CREATE TRIGGER IF NOT EXISTS listed_out AFTER DELETE ON listed BEGIN
    UPDATE listed_total SET total = total - 1 WHERE list = old.list;
  END;
  CREATE TRIGGER IF NOT EXISTS listed_on AFTER UPDATE OF list ON listed WHEN new.list <> old.list BEGIN
    UPDATE listed_total SET total = total - 1 WHERE list = old.list;
    INSERT INTO listed_total (list, total) VALUES (new.list, 1) ON CONFLICT (list) DO UPDATE SET total = total + 1;
  END;

  DROP TABLE IF EXISTS main.actor;
  CREATE TABLE IF NOT EXISTS message (
    place INTEGER PRIMARY KEY AUTOINCREMENT, actor TEXT NOT NULL,
    id TEXT NOT NULL, body BLOB NOT NULL, due_at INTEGER NOT NULL, retries INTEGER NOT NULL,
    begun INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX IF NOT EXISTS message_by_actor ON message (actor, place);

  CREATE TABLE IF NOT EXISTS seen (id TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS seen_by_expiry ON seen (expires_at);
`

/** Fills the table of actors from the messages. */
export const FIND_ACTORS = `INSERT INTO actor (name, kind, ready_at)
    SELECT actor, substr(actor, 1, max(0, instr(actor, ':') - 1)), due_at FROM message
    WHERE place IN (SELECT MIN(place) FROM message GROUP BY actor)`

/**
 * The actors with messages, in memory only: claims and their ends are not worth a write to disk. From
 * ready_at on, the first message of an actor can be claimed. The fence belongs to the claim that has neither
 * ended nor put back this message; claims of an earlier process are gone with it. held_until follows a
 * monotonic clock.
 */
const ACTORS = `
  PRAGMA temp_store = MEMORY;
  CREATE TEMP TABLE actor (
    name TEXT PRIMARY KEY, kind TEXT NOT NULL, ready_at INTEGER NOT NULL, fence TEXT,
    held_until REAL NOT NULL DEFAULT 0
  );
  ${FIND_ACTORS};
  CREATE INDEX temp.actor_by_turn ON actor (kind, ready_at, name);
`

// The package crashes when an open database is garbage-collected: keep a reference until it is closed.
const openDatabases = new Set<InstanceType<typeof DatabaseSync>>()

/**
 * How the file is opened: `alone`, for this process only; `beside` the process that has it, for a command,
 * with SQLite's own locks; or to `read` only. Only `alone` creates a file.
 */
export type OpenMode = 'alone' | 'beside' | 'read'

/** How long a write waits for the write of another process. */
const BUSY_MS = 2_000

/** Opens `porsa.db` in this folder. Throws an `Error` in plain words when it cannot. */
export async function openDatabase(dir: string, mode: OpenMode = 'alone') {
  const [file, lockFile] = [join(dir, 'porsa.db'), join(dir, 'porsa.lock')]
  const opened: InstanceType<typeof DatabaseSync>[] = []
  try {
    if (mode === 'alone') {
      await makeFolder(dir)
      for (const one of [lockFile, file]) await makePrivate(one)
      opened.push(openLock(lockFile))
    } else await stat(file)
    const db = open(file, mode === 'read')
    opened.unshift(db)
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
    // Overwrite deleted data (`secure_delete`).
    if (mode !== 'read')
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
    db.exec('PRAGMA secure_delete = ON')
    makeTables(db, mode)
    db.exec(ACTORS)
    return {
      prepare: (sql: string) => db.prepare(sql),
      /** Runs the steps in one transaction. */
      transaction: <T>(steps: () => T): T => transaction(db, steps),
      /** Runs steps without waiting for the disk: the writes survive this process, perhaps no power cut. */
      withoutSync: (steps: () => void) =>
        withSetting(db, 'synchronous = NORMAL', 'synchronous = FULL', steps),
      /** Moves everything into the file and empties the log, which still has deleted data. */
      // If another process reads, for example for a copy, the log stays until the next time: do not wait.
      checkpoint: () =>
        withSetting(db, 'busy_timeout = 0', `busy_timeout = ${BUSY_MS}`, () =>
          db.exec('PRAGMA wal_checkpoint(TRUNCATE)'),
        ),
      close() {
        mergeLog(db)
        opened.forEach(close)
      },
    }
  } catch (error) {
    opened.forEach(close)
    return refuse(error)
  }
}

/** Creates the folder of the store if it is missing. */
export const makeFolder = (dir: string): Promise<unknown> =>
  mkdir(dir, { recursive: true, mode: 0o700 }).catch(refuse)

/** SQLite creates its other files with the mode of this one. */
async function makePrivate(file: string): Promise<void> {
  await (await openFile(file, 'a', 0o600)).close()
  await chmod(file, 0o600)
}

/** Keeps others from opening the store in this folder `alone`. Returns the release; throws if it is open. */
export async function lockFolder(dir: string): Promise<() => void> {
  const file = join(dir, 'porsa.lock')
  try {
    await makePrivate(file)
    const lock = openLock(file)
    return () => close(lock)
  } catch (error) {
    return refuse(error)
  }
}

/** Locks with SQLite, because the operating system frees the lock of a killed process. */
function openLock(file: string): InstanceType<typeof DatabaseSync> {
  const lock = open(file)
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    close(lock)
    throw error
  }
}

const SQLITE_BUSY = 5
const SQLITE_FULL = 13
/** SQLite's details of an error; errors of the file system have a code instead. */
const sqliteError = z.object({ errcode: z.number(), errstr: z.string() }).partial()

const SQLITE_NOTADB = 26
/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const SQLITE_DAMAGE: readonly number[] = [11, SQLITE_NOTADB]

/** The file of the embedded store cannot be read as a database. */
export class DamagedStore extends Error {
  constructor(why = 'the store, or its copy, is damaged: not every page of it can be read') {
    super(why)
  }
}

/** Reads every page of the store in a folder. Throws a `DamagedStore` when one is harmed. */
export async function refuseHarmed(dir: string): Promise<void> {
  const db = await openDatabase(dir).catch(refuseDamage)
  try {
    if (db.prepare('PRAGMA integrity_check(1)').get()?.integrity_check !== 'ok') throw new DamagedStore()
  } catch (error) {
    refuseDamage(error)
  } finally {
    db.close()
  }
}

/** Rethrows an error: as a `DamagedStore` if SQLite blames the content of the file, else unchanged. */
export function refuseDamage(error: unknown): never {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const { errcode = 0 } = sqliteError.safeParse(cause).data ?? {}
  // The lower byte of an extended code is the basic code.
  const code = errcode & 0xff
  if (code === SQLITE_NOTADB)
    throw new DamagedStore('it is neither a store nor a copy of one, or is damaged from the beginning')
  throw SQLITE_DAMAGE.includes(code) ? new DamagedStore() : error
}

/** Throws in plain words, without the path: values of the environment are not shown. */
function refuse(cause: unknown): never {
  const { errcode, errstr = errorCode(cause) } = sqliteError.safeParse(cause).data ?? {}
  // Our own error, in plain words already.
  if (errstr === undefined) throw cause
  const Failure = errcode === SQLITE_FULL || errstr === 'ENOSPC' ? AwayError : Error
  if (errcode !== SQLITE_BUSY) throw new Failure(`DATA_DIR cannot be used (${errstr})`, { cause })
  throw new Error('the embedded store in DATA_DIR is in use by another process: only one may run on it', {
    cause,
  })
}

const versionRow = z.object({ user_version: z.int() })

function makeTables(db: InstanceType<typeof DatabaseSync>, mode: OpenMode) {
  const { user_version: found } = versionRow.parse(db.prepare('PRAGMA user_version').get())
  if (!READABLE.includes(found)) {
    const written = found > SCHEMA_VERSION ? 'a newer' : 'an older'
    throw new Error(`the embedded store in DATA_DIR was written by ${written} version`)
  }
  if (mode === 'alone') transaction(db, () => db.exec(`${SCHEMA} PRAGMA user_version = ${SCHEMA_VERSION}`))
}

/** Runs the steps with another setting of the connection, and restores it afterwards. */
function withSetting(
  db: InstanceType<typeof DatabaseSync>,
  during: string,
  after: string,
  steps: () => void,
): void {
  db.exec(`PRAGMA ${during}`)
  try {
    steps()
  } finally {
    db.exec(`PRAGMA ${after}`)
  }
}

function transaction<T>(db: InstanceType<typeof DatabaseSync>, steps: () => T): T {
  db.exec('BEGIN IMMEDIATE')
  try {
    const result = steps()
    db.exec('COMMIT')
    return result
  } catch (error) {
    // A failed COMMIT (a full disk) may have rolled back already.
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/**
 * Moves everything into the one file. Closing does not finalize prepared statements, so otherwise the log
 * would stay until the last of them is garbage-collected.
 */
function mergeLog(db: InstanceType<typeof DatabaseSync>) {
  try {
    db.exec('PRAGMA journal_mode = DELETE')
  } catch {
    // If the disk is full, the next start reads the log.
  }
}

function open(file: string, readOnly = false) {
  const db = new DatabaseSync(file, { readOnly })
  openDatabases.add(db)
  return db
}

function close(db: InstanceType<typeof DatabaseSync>) {
  db.close()
  openDatabases.delete(db)
}
