import { z } from 'zod'
import type { Database } from './sqlite-database.ts'
import { LISTED_FOR_MS, type Listed } from './store.ts'

const countRow = z.object({ count: z.number() })
const listedRow = z.object({ id: z.string(), at: z.number() })

export type Lists = ReturnType<typeof createLists>

/** What is in which list, in order. Nothing here begins a transaction of its own. */
export function createLists(db: Database) {
  // To count all of a long list takes a moment, in which nobody else has their turn.
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
