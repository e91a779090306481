import { z } from 'zod'
import type { Database } from './sqlite-database.ts'
import { LOST } from './sqlite-queue.ts'

const bytes = z.instanceof(Uint8Array).transform((value): Buffer => Buffer.from(value))
const entryRow = z.object({
  key: z.string(),
  value: bytes,
  version: z.string(),
  // `RETENTION_DAYS` may be fractional, but Redis takes whole milliseconds only.
  expiresAt: z.number().transform(Math.round).nullable(),
})
const messageRow = z.object({
  actor: z.string(),
  id: z.string(),
  body: bytes,
  dueAt: z.number(),
  retries: z.number(),
  begun: z.number().transform((begun) => begun === 1),
})
const seenRow = z.object({ id: z.string(), expiresAt: z.number() })

type EntryRow = z.infer<typeof entryRow>
type MessageRow = z.infer<typeof messageRow>
/** A message in the queue of its actor. */
export type Queued = Omit<MessageRow, 'actor'>

/** The rows of a copy, which is a file of the embedded store whichever store it was made of. */
export type Rows = ReturnType<typeof createRows>

export function createRows(db: Database) {
  const setEntry = db.prepare('REPLACE INTO entry (key, value, version, expires_at) VALUES (?, ?, ?, ?)')
  const removeEntry = db.prepare('DELETE FROM entry WHERE key = ?')
  const clear = db.prepare('DELETE FROM message WHERE actor = ?')
  const add = db.prepare(
    'INSERT INTO message (actor, id, body, due_at, retries, begun) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const see = db.prepare('REPLACE INTO seen (id, expires_at) VALUES (?, ?)')

  return {
    /** Runs all of these writes, or none. */
    together: (steps: () => void): void => db.transaction(steps),
    entry: ({ key, value, version, expiresAt }: EntryRow): void =>
      void setEntry.run(key, value, version, expiresAt),
    remove: (key: string): void => void removeEntry.run(key),
    queue(actor: string, messages: readonly Queued[]): void {
      clear.run(actor)
      for (const { id, body, dueAt, retries, begun } of messages)
        add.run(actor, id, body, dueAt, retries, begun ? 1 : 0)
    },
    /** Pairs of an id and the time until which it is remembered. */
    see(pairs: readonly (Buffer | string)[]): void {
      for (let at = 0; at + 1 < pairs.length; at += 2)
        see.run(String(pairs[at]), Number(String(pairs[at + 1])))
    },
    /** All entries but those that the store keeps for itself. */
    entries: () =>
      pages(db, {
        from: "(SELECT key, value, version, expires_at AS expiresAt FROM entry WHERE key NOT LIKE '#%')",
        by: ['key'],
        row: entryRow,
      }),
    messages: () =>
      pages(db, {
        // The count of lost claims stays with its store, so the copy omits it.
        from: `(SELECT place, actor, id, body, due_at AS dueAt, retries % ${LOST} AS retries, begun FROM message)`,
        by: ['actor', 'place'],
        row: messageRow,
      }),
    seen: () =>
      pages(db, { from: '(SELECT id, expires_at AS expiresAt FROM seen)', by: ['id'], row: seenRow }),
  }
}

type Pages<T> = { from: string; by: readonly string[]; row: z.ZodType<T> }

/** Reads page by page: the package crashes when a statement is collected while its rows are iterated. */
function* pages<T>(db: Database, { from, by, row }: Pages<T>): Generator<T> {
  const names = by.join(', ')
  const marks = by.map(() => '?').join(', ')
  const page = db.prepare(`SELECT * FROM ${from} WHERE (${names}) > (${marks}) ORDER BY ${names} LIMIT 200`)
  for (let last: unknown[] = by.map(() => ''); ; ) {
    const rows = page.all(...last)
    yield* rows.map((each) => row.parse(each))
    const end = rows.at(-1)
    if (end === undefined) return
    last = by.map((name) => end[name])
  }
}
