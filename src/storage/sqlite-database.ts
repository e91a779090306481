import { chmod, mkdir, open as openFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { z } from 'zod'
import { AwayError } from '../observe/away.ts'
import { errorCode } from '../observe/scrub.ts'

/** An open database that nothing else writes to. */
export type Database = Awaited<ReturnType<typeof openDatabase>>

const SCHEMA_VERSION = 3
/** A new file has 0. Version 2 kept on the disk what `ACTORS` has. */
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

/** The actors that have messages. */
export const FIND_ACTORS = `INSERT INTO actor (name, kind, ready_at)
    SELECT actor, substr(actor, 1, max(0, instr(actor, ':') - 1)), due_at FROM message
    WHERE place IN (SELECT MIN(place) FROM message GROUP BY actor)`

/**
 * Whose turn it is, in memory alone: who takes a message, and gives it back, is nothing to write to the disk. An actor is here
 * while it has messages: from ready_at on its first one can be claimed. The fence is that of the claim which has neither ended
 * nor put back this message; the claims of an earlier process are gone with it. held_until is by a clock that nobody sets.
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

// The package crashes when an open database is collected as garbage: each is referenced here until it is closed.
const openDatabases = new Set<InstanceType<typeof DatabaseSync>>()

/**
 * How the file is opened: for this process alone; beside the process that has it, for a command, by SQLite's own locks;
 * or only to be read. Only the first one makes a file.
 */
export type OpenMode = 'alone' | 'beside' | 'read'

/** How long a write waits for that of another process. */
const BUSY_MS = 2_000

/** Opens `porsa.db` in this folder. Throws an `Error` in plain words when that cannot be. */
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
    // What is deleted is overwritten.
    if (mode !== 'read')
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
    db.exec('PRAGMA secure_delete = ON')
    makeTables(db, mode)
    db.exec(ACTORS)
    return {
      prepare: (sql: string) => db.prepare(sql),
      /** Runs the steps all together or, when one throws, not at all. */
      transaction: <T>(steps: () => T): T => transaction(db, steps),
      /** What the steps write survives this process, though perhaps no power cut: it does not wait for the disk. */
      survivingProcess: (steps: () => void) => under(db, 'synchronous = NORMAL', 'synchronous = FULL', steps),
      /** Moves everything into the file itself and empties the log beside it, which still has what was deleted. */
      // What somebody reads, for a copy say, stays beside the file until the next time: nobody waits for that.
      checkpoint: () =>
        under(db, 'busy_timeout = 0', `busy_timeout = ${BUSY_MS}`, () =>
          db.exec('PRAGMA wal_checkpoint(TRUNCATE)'),
        ),
      close() {
        putTogether(db)
        opened.forEach(close)
      },
    }
  } catch (error) {
    opened.forEach(close)
    return refuse(error)
  }
}

/** Makes the folder of the store where it is not there. */
export const makeFolder = (dir: string): Promise<unknown> =>
  mkdir(dir, { recursive: true, mode: 0o700 }).catch(refuse)

/** SQLite gives what it makes beside a file the mode of that file. */
async function makePrivate(file: string): Promise<void> {
  await (await openFile(file, 'a', 0o600)).close()
  await chmod(file, 0o600)
}

/** Keeps every process from opening the store in this folder alone. Returns what ends that; throws where one has it. */
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

/** The operating system frees the lock of a process that was killed. */
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
/** What SQLite says of a failure; one of the file system has a code instead. */
const sqliteError = z.object({ errcode: z.number(), errstr: z.string() }).partial()

const SQLITE_NOTADB = 26
/** Corrupt, or no database at all. */
const SQLITE_DAMAGE: readonly number[] = [11, SQLITE_NOTADB]

/** What the file of the embedded store holds cannot be read as a database. */
export class DamagedStore extends Error {
  constructor(why = 'the store, or its copy, is damaged: not every page of it can be read') {
    super(why)
  }
}

/** Reads every page of the store in a folder. Throws a `DamagedStore` where one is harmed. */
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

/** Throws a failure of SQLite because of what the file holds as such, and every other one as it is. */
export function refuseDamage(error: unknown): never {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const { errcode = 0 } = sqliteError.safeParse(cause).data ?? {}
  // The lower byte of an extended code.
  const code = errcode & 0xff
  if (code === SQLITE_NOTADB)
    throw new DamagedStore('it is neither a store nor a copy of one, or is damaged from the beginning')
  throw SQLITE_DAMAGE.includes(code) ? new DamagedStore() : error
}

/** The folder's own name is not repeated: no value of the environment is. */
function refuse(cause: unknown): never {
  const { errcode, errstr = errorCode(cause) } = sqliteError.safeParse(cause).data ?? {}
  // Said in plain words already.
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

/** Runs the steps under another setting of the connection than it has before and after. */
function under(
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
    // A failed COMMIT (a full disk) may have rolled back by itself.
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/**
 * Moves everything into the one file. Without this the log beside it would stay until the last prepared statement is
 * collected as garbage: closing does not end them.
 */
function putTogether(db: InstanceType<typeof DatabaseSync>) {
  try {
    db.exec('PRAGMA journal_mode = DELETE')
  } catch {
    // A full disk: what the log has is read from it at the next start.
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
