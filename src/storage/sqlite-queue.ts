import { z } from 'zod'
import { createRandom } from './aes-gcm.ts'
import { type Database, FIND_ACTORS } from './sqlite-database.ts'
import {
  type Backlog,
  type Claim,
  COMMIT_SEEN_FOR_MS,
  type Commit,
  kindOf,
  LOST_AMONG_OTHERS,
  type Post,
  SEEN_FOR_MS,
} from './store.ts'

const actorRow = z.object({ name: z.string(), fence: z.string().nullable() }).optional()
type ActorRow = z.infer<typeof actorRow> & {}
const messageRow = z
  .object({
    place: z.number(),
    id: z.string(),
    body: z.instanceof(Uint8Array),
    dueAt: z.number(),
    retries: z.number(),
    begun: z.number(),
    lost: z.number(),
  })
  .optional()
const dueRow = z.object({ dueAt: z.number() }).optional()

const backlogRow = z.object({
  waiting: z.number(),
  due: z.number().nullable(),
  oldestAt: z.number().nullable(),
})

/** The column `retries` counts a lost claim as this many failures. */
export const LOST = 1_024

/** The `place` of an actor's first message. */
const FIRST = '(SELECT MIN(place) FROM message WHERE actor = ?)'

export type Queue = ReturnType<typeof createQueue>

/** Actors and their messages. No method begins a transaction. */
export function createQueue(db: Database, elapsed: () => number) {
  const sql = prepare(db)
  const random = createRandom()
  const actor = (name: string) => actorRow.parse(sql.findActor.get(name))
  const setActor = (name: string, readyAt: number) =>
    void sql.setActor.run(name, kindOf(name), readyAt, null, 0)
  const hold = (name: string, fence: string, now: number, leaseMs: number) =>
    void sql.setActor.run(name, kindOf(name), now + leaseMs, fence, elapsed() + leaseMs)
  const first = (name: string) => messageRow.parse(sql.firstMessage.get(name))

  function post(post: Post, now: number): 'posted' | 'duplicate' {
    const { actor: name, id, once, body, dueAt, replace } = post
    if (!once && sql.see.run(id, now + SEEN_FOR_MS, now).changes === 0) return 'duplicate'
    if (replace) sql.removeWaiting.run(name)
    const isFirst = replace ? !first(name) : !actor(name)
    sql.addMessage.run(name, id, body, dueAt ?? now)
    if (isFirst) setActor(name, dueAt ?? now)
    return 'posted'
  }

  return {
    post,
    isSeen: (id: string, now: number) => sql.seen.get(id, now) !== undefined,
    holds: ({ actor: name, fence }: Claim) => actor(name)?.fence === fence,
    /** Returns the next actor, without claiming it. */
    next: (now: number, kinds: readonly string[]): ActorRow | undefined =>
      actorRow.parse(sql.readyActor.get(JSON.stringify(kinds), now, elapsed())),
    take({ name }: ActorRow, now: number, leaseMs: number): Claim | undefined {
      const message = first(name)
      if (!message) return undefined
      const fence = random(9).toString('base64url')
      hold(name, fence, now, leaseMs)
      const { id, body, retries, begun, lost, place } = message
      if (lost < LOST_AMONG_OTHERS) db.withoutSync(() => sql.lose.run(lost + 1, place))
      const claimed = { id, body: Buffer.from(body), retries, begun: begun === 1, lost }
      return { actor: name, fence, message: claimed }
    },
    suspect({ actor: name }: Claim, isAlone: boolean): void {
      const lost = isAlone ? LOST_AMONG_OTHERS + 1 : LOST_AMONG_OTHERS
      const message = first(name)
      if (message) db.withoutSync(() => sql.lose.run(lost, message.place))
    },
    renew: ({ actor: name, fence }: Claim, now: number, leaseMs: number): void =>
      hold(name, fence, now, leaseMs),
    begin({ actor: name }: Claim): void {
      const message = first(name)
      if (message) sql.begin.run(message.place)
    },
    /** Removes the claimed message or puts it back, frees the actor and remembers the commit. */
    end({ actor: name }: Claim, commit: Commit, now: number): void {
      if (commit.id) sql.see.run(commit.id, now + COMMIT_SEEN_FOR_MS, now)
      endFirst(sql, name, commit)
      const next = dueRow.parse(sql.firstDue.get(name))
      if (next) setActor(name, next.dueAt)
      else sql.removeActor.run(name)
    },
    /** Adds the actors whose messages another process posted. */
    adopt: () => void sql.adopt.run(),
    backlog: (now: number, kind: string) => backlogOf(sql, now, kind),
    sweep(now: number): void {
      sql.sweepSeen.run(now)
    },
  }
}

type Sql = ReturnType<typeof prepare>

function backlogOf(sql: Sql, now: number, kind: string): Backlog {
  const { waiting, due, oldestAt } = backlogRow.parse(sql.backlog.get(now, now, kind))
  return { kind, waiting, due: due ?? 0, oldestMs: oldestAt === null ? 0 : Math.max(0, now - oldestAt) }
}

function endFirst(sql: Sql, actor: string, commit: Commit): void {
  const { retryAt, retryBody = null, countsAsRetry = true, staysBegun } = commit
  if (retryAt === undefined) sql.removeFirst.run(actor)
  else sql.putBack.run(retryAt, countsAsRetry ? 1 : 0, retryBody, staysBegun ? 1 : 0, actor)
}

function prepare(db: Database) {
  return {
    see: db.prepare(
      `INSERT INTO seen (id, expires_at) VALUES (?, ?)
       ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at WHERE expires_at <= ?`,
    ),
    seen: db.prepare('SELECT 1 FROM seen WHERE id = ? AND expires_at > ?'),
    sweepSeen: db.prepare('DELETE FROM seen WHERE expires_at <= ?'),
    findActor: db.prepare('SELECT name, fence FROM actor WHERE name = ?'),
    // Reads the kinds in order and each first actor from the index: this runs several times per message.
    readyActor: db.prepare(
      `SELECT name, fence FROM json_each(?) AS wanted CROSS JOIN actor INDEXED BY actor_by_turn
       WHERE actor.kind = wanted.value AND actor.ready_at <= ? AND actor.held_until <= ? LIMIT 1`,
    ),
    // Uses the index only. A claimed actor is ready when its lease ends, so it is not due.
    backlog: db.prepare(
      `SELECT COUNT(*) AS waiting, SUM(ready_at <= ?) AS due,
         MIN(CASE WHEN ready_at <= ? THEN ready_at END) AS oldestAt FROM actor WHERE kind = ?`,
    ),
    setActor: db.prepare('REPLACE INTO actor VALUES (?, ?, ?, ?, ?)'),
    adopt: db.prepare(FIND_ACTORS.replace('INSERT', 'INSERT OR IGNORE')),
    removeActor: db.prepare('DELETE FROM actor WHERE name = ?'),
    firstMessage: db.prepare(
      `SELECT place, id, body, due_at AS dueAt, retries % ${LOST} AS retries, begun, retries / ${LOST} AS lost
       FROM message WHERE actor = ? ORDER BY place LIMIT 1`,
    ),
    firstDue: db.prepare(`SELECT due_at AS dueAt FROM message WHERE place = ${FIRST}`),
    addMessage: db.prepare('INSERT INTO message (actor, id, body, due_at, retries) VALUES (?, ?, ?, ?, 0)'),
    begin: db.prepare('UPDATE message SET begun = 1 WHERE place = ?'),
    lose: db.prepare(`UPDATE message SET retries = retries % ${LOST} + ${LOST} * ? WHERE place = ?`),
    putBack: db.prepare(
      `UPDATE message SET due_at = ?, retries = retries % ${LOST} + ?, body = coalesce(?, body), begun = begun * ?
       WHERE place = ${FIRST}`,
    ),
    removeFirst: db.prepare(`DELETE FROM message WHERE place = ${FIRST}`),
    // Keeps a claimed message: it is in work, or its process was killed and it must be handled again.
    removeWaiting: db.prepare(`DELETE FROM message WHERE actor = ? AND retries < ${LOST}`),
  }
}
