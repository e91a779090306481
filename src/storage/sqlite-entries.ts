import { z } from 'zod'
import { type AttemptMove, type AttemptReply, applyMove } from '../domain/attempt.ts'
import { ATTEMPT_HEADER_BYTES } from '../domain/attempt-layout.ts'
import type { Database } from './sqlite-database.ts'
import {
  type CensusPage,
  censusOf,
  type Entry,
  LISTED_FOR_MS,
  type Listed,
  newVersion,
  type Write,
} from './store.ts'

const countRow = z.object({ count: z.number() })
const listedRow = z.object({ id: z.string(), at: z.number() })

export type Lists = ReturnType<typeof createLists>

/** The lists and their order. No method begins a transaction. */
export function createLists(db: Database) {
  // Totals are kept, because counting a long list would block the event loop.
  const total = db.prepare('SELECT coalesce(max(total), 0) AS count FROM listed_total WHERE list = ?')
  const count = db.prepare('SELECT COUNT(*) AS count FROM listed WHERE list = ? AND at >= ?')
  const piece = db.prepare(
    'SELECT id, at FROM listed WHERE list = ? AND at >= ? ORDER BY at, id LIMIT ? OFFSET ?',
  )
  const remove = db.prepare('DELETE FROM listed WHERE id = ?')
  const add = db.prepare(
    `INSERT INTO listed (id, list, at) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE
     SET list = excluded.list, at = excluded.at WHERE NOT (? AND list = excluded.list)`,
  )
  const removeOld = db.prepare(
    'DELETE FROM listed WHERE id IN (SELECT id FROM listed WHERE list = ? AND at <= ? ORDER BY at LIMIT 10)',
  )

  return {
    list({ id, list, at, isRecount }: Listed): void {
      if (list === null) return void remove.run(id)
      add.run(id, list, Math.round(at), isRecount ? 1 : 0)
      removeOld.run(list, Math.round(at) - LISTED_FOR_MS)
    },
    count: (list: string, from: number): number =>
      countRow.parse(from > 0 ? count.get(list, from) : total.get(list)).count,
    piece: (list: string, { from, skip, most }: { from: number; skip: number; most: number }) =>
      piece.all(list, from, most, skip).map((row) => listedRow.parse(row)),
  }
}

const SWEPT_AT_ONCE = 500
const COUNTED_AT_ONCE = 500

const pageRow = z.object({ key: z.string(), head: z.instanceof(Uint8Array).nullable() })

export type Entries = ReturnType<typeof createEntries>

/** Keys and their values. No method begins a transaction. */
export function createEntries(db: Database) {
  const find = db.prepare('SELECT value, version, expires_at AS expiresAt FROM entry WHERE key = ?')
  const remove = db.prepare('DELETE FROM entry WHERE key = ?')
  // Update existing rows in place: REPLACE would touch every index, a quarter of the cost of an answer.
  const replace = db.prepare(
    `INSERT INTO entry (key, value, version, expires_at) VALUES (?, ?, ?, ?) ON CONFLICT (key) DO UPDATE
     SET value = excluded.value, version = excluded.version, expires_at = excluded.expires_at`,
  )
  const page = db.prepare(
    `SELECT key, CASE WHEN key LIKE 's:%' THEN substr(value, 1, ${ATTEMPT_HEADER_BYTES}) END AS head FROM entry
     WHERE key > ? AND (expires_at IS NULL OR expires_at > ?) ORDER BY key LIMIT ${COUNTED_AT_ONCE}`,
  )
  const sweepExpired = db.prepare(
    'DELETE FROM entry WHERE key IN (SELECT key FROM entry WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)',
  )

  function read(key: string, now: number): Entry | undefined {
    // Not parsed, because every answer reads it: the columns are those of the statement above.
    const row = find.get(key) as { value: Uint8Array; version: string; expiresAt: number | null } | undefined
    if (!row || (row.expiresAt !== null && row.expiresAt <= now)) return undefined
    return {
      value: Buffer.from(row.value.buffer, row.value.byteOffset, row.value.length),
      version: row.version,
    }
  }

  function write({ key, value, expiresAt, version = newVersion() }: Write): void {
    if (value) replace.run(key, value, version, expiresAt ?? null)
    else remove.run(key)
  }

  return {
    read,
    write,
    isAt: (key: string, version: string | null, now: number) => (read(key, now)?.version ?? null) === version,
    answer(key: string, move: AttemptMove, now: number): AttemptReply {
      const entry = read(key, now)
      if (!entry) return { status: 'gone' }
      const { changed, reply } = applyMove(entry.value, move, now)
      if (changed) write({ key, ...changed })
      return reply
    },
    census(from: string, now: number, named?: string): CensusPage {
      const rows = page.all(from, now).map((row) => pageRow.parse(row))
      const keys = rows.map(({ key, head }) => ({ key, head: Buffer.from(head ?? []) }))
      return censusOf(keys, named, rows.length < COUNTED_AT_ONCE ? undefined : rows.at(-1)?.key)
    },
    sweep(now: number): void {
      sweepExpired.run(now, SWEPT_AT_ONCE)
    },
  }
}
