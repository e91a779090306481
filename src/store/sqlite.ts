import { createGroupCommit } from './group-commit.ts'
import { openDatabase } from './sqlite-database.ts'
import { createEntries } from './sqlite-entries.ts'
import { createQueue } from './sqlite-queue.ts'
import type { Store } from './store.ts'

const sweepEveryMs = 60_000

/**
 * The embedded store: one SQLite file in `dir`, for one process. Every operation is on the disk when it returns.
 * Throws an `Error` when another process uses the folder.
 */
export async function createSqliteStore({ dir, now }: { dir: string; now: () => number }): Promise<Store> {
  const db = await openDatabase(dir)
  const entries = createEntries(db)
  const queue = createQueue(db)
  const group = createGroupCommit(db)
  const check = db.prepare('SELECT 1')
  let sweptAt = now()
  queue.free(sweptAt)

  function sweep(at: number): void {
    if (at - sweptAt < sweepEveryMs) return
    sweptAt = at
    db.transaction(() => {
      entries.sweep(at)
      queue.sweep(at)
    })
  }

  return {
    async read(keys) {
      const at = now()
      return keys.map((key) => entries.read(key, at))
    },
    async put(write, version) {
      return group.run(() => {
        const isFree = entries.isAt(write.key, version, now())
        if (isFree) entries.write(write)
        return isFree
      })
    },
    async post(post) {
      return group.run(() => queue.post(post, now()))
    },
    async claim(leaseMs) {
      const at = now()
      sweep(at)
      if (!queue.next(at)) return undefined
      return group.run(() => {
        const actor = queue.next(at)
        return actor && queue.take(actor, at, leaseMs)
      })
    },
    async renew(claim, leaseMs) {
      return group.run(() => {
        const isHeld = queue.holds(claim)
        if (isHeld) queue.renew(claim, now(), leaseMs)
        return isHeld
      })
    },
    async commit(claim, commit) {
      const at = now()
      return group.run(() => {
        if (!queue.holds(claim)) return 'lost'
        const { expects = [], writes = [], posts = [] } = commit
        if (!expects.every(({ key, version }) => entries.isAt(key, version, at))) return 'conflict'
        for (const write of writes) entries.write(write)
        for (const post of posts) queue.post(post, at)
        queue.end(claim, commit)
        return 'ok'
      })
    },
    async answer(key, move) {
      return group.run(() => entries.answer(key, move))
    },
    sessions: (termMs) => ({
      read: (key) => entries.read(key, now())?.value.toString('utf8'),
      write: (key, text) =>
        group.run(() =>
          entries.write({ key, value: Buffer.from(text), expiresAt: Math.round(now() + termMs) }),
        ),
      delete: (key) => group.run(() => entries.write({ key, value: null })),
    }),
    async ping() {
      check.get()
    },
    async advice() {
      return []
    },
    async close() {
      group.flush()
      db.close()
    },
  }
}
