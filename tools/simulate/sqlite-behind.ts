import { createSqliteStore } from '../../src/storage/sqlite.ts'
import type { Store } from '../../src/storage/store.ts'
import { opened } from './stand-ins/sqlite.ts'
import type { Time } from './time.ts'

const TABLES = ['entry', 'listed', 'listed_total', 'actor', 'message', 'seen']

/** What stands behind the store of all replicas. */
export type Behind = {
  store: Store
  /** Whether there may be something to claim. */
  isDue(): boolean
  /** Remembers how everything is now, before anything more happens. */
  keep(): void | Promise<void>
  /** Makes everything as it was remembered. */
  putBack(): void | Promise<void>
  /** All that is kept, as bytes. */
  values(): Promise<Buffer[]>
  /** The keys of all documents, and the queues in which something waits. */
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
    // The bot's question has one part for each kind.
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
    // What is over is swept away later, as Redis does with it.
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
