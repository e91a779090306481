import { createSqliteStore } from '../../src/storage/sqlite.ts'
import type { Store } from '../../src/storage/store.ts'
import { opened } from './stand-ins/sqlite.ts'
import type { Time } from './time.ts'

const TABLES = ['entry', 'listed', 'listed_total', 'actor', 'message', 'seen']

/** The real store behind the shared store of all replicas. */
export type Behind = {
  store: Store
  /** Whether there may be a message to claim. */
  isDue(): boolean
  /** Saves the present state, before anything more happens. */
  keep(): void | Promise<void>
  /** Restores the saved state. */
  putBack(): void | Promise<void>
  /** All stored values, as bytes. */
  values(): Promise<Buffer[]>
  /** The keys of all documents, and the queues with messages. */
  names(): Promise<string[]>
}

/** SQLite, in memory. */
export async function openSqlite({ dir, time }: { dir: string; time: Time }): Promise<Behind> {
  const store = await createSqliteStore({ dir, now: time.worldNow })
  const db = opened.at(-1)
  if (!db) throw new Error('no database was opened')
  const isDue = db.prepare('SELECT 1 FROM actor WHERE ready_at <= ? LIMIT 1')

  return {
    store,
    // Cheaper than the bot's own query, which has one part for each kind.
    isDue: () => isDue.get(time.worldNow()) !== undefined,
    keep() {
      for (const table of TABLES) {
        db.exec(`DROP TABLE IF EXISTS kept_${table}; CREATE TABLE kept_${table} AS SELECT * FROM ${table}`)
      }
    },
    putBack() {
      for (const table of TABLES) {
        db.exec(`DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM kept_${table}`)
      }
    },
    values: async () =>
      TABLES.flatMap((table) =>
        db
          .prepare(`SELECT * FROM ${table}`)
          .all()
          .flatMap((row) =>
            Object.values(row as object).flatMap((value) =>
              typeof value === 'string' || value instanceof Uint8Array ? [Buffer.from(value)] : [],
            ),
          ),
      ),
    // Expired entries do not count, as in Redis; SQLite deletes them later.
    names: async () =>
      db
        .prepare(
          `SELECT key AS name FROM entry WHERE expires_at IS NULL OR expires_at > ?
            UNION SELECT actor AS name FROM message`,
        )
        .all(time.worldNow())
        .map((row) => String(Object.values(row as object)[0])),
  }
}
