import { statfs } from 'node:fs/promises'
import { z } from 'zod'
import { isReadByOthers } from './data-key.ts'
import { type Database, type OpenMode, openDatabase } from './sqlite-database.ts'
import { createEntries, createLists, type Entries, type Lists } from './sqlite-entries.ts'
import { createSqliteLife } from './sqlite-life.ts'
import { createQueue, type Queue } from './sqlite-queue.ts'
import type { Claim, Commit, Store } from './store.ts'

type Waiting = {
  /** Runs the steps; returns what resolves the caller's promise once the transaction is on disk. */
  run: () => () => void
  reject: (error: unknown) => void
}

type GroupCommit = ReturnType<typeof createGroupCommit>

/** Commits the writes of one event loop turn together, because the disk is the slow part of each. */
function createGroupCommit(db: Pick<Database, 'transaction'>) {
  let waiting: Waiting[] = []

  function commit(group: readonly Waiting[]): void {
    try {
      const done = db.transaction(() => group.map(({ run }) => run()))
      for (const settle of done) settle()
    } catch (error) {
      // The failed write rolled back the others, so try each one separately.
      if (group.length > 1) for (const each of group) commit([each])
      else for (const { reject } of group) reject(error)
    }
  }

  function flush(): void {
    const group = waiting
    waiting = []
    if (group.length > 0) commit(group)
  }

  return {
    /** Commits all waiting writes now. */
    flush,
    /** Runs the steps in one transaction. Resolves when they are on disk. */
    run: <T>(steps: () => T) =>
      new Promise<T>((resolve, reject) => {
        const run = () => {
          const result = steps()
          return () => resolve(result)
        }
        waiting.push({ run, reject })
        if (waiting.length === 1) setImmediate(flush)
      }),
  }
}

const SWEEP_EVERY_MS = 60_000
const LEAST_FREE = 0.03
const PING_KEY = '#ping'
const PING_KEPT_MS = 60_000

/**
 * The embedded store: one SQLite file in `dir`, for one process. When an operation resolves, its writes are
 * on disk, except leases: they end with the process. Throws an `Error` when another process uses the folder.
 */
export async function createSqliteStore(options: {
  dir: string
  now: () => number
  /** The clock of leases, which no clock change affects; `now` by default. */
  elapsed?: () => number
  mode?: OpenMode
}): Promise<Store> {
  const { dir, now, elapsed = now, mode = 'alone' } = options
  const db = await openDatabase(dir, mode)
  const entries = createEntries(db)
  const lists = createLists(db)
  const queue = createQueue(db, elapsed)
  const group = createGroupCommit(db)
  const life = createSqliteLife(dir, entries, now(), mode === 'alone')
  const sweep = createSweeper(db, [entries, queue], now())
  const adopt = createAdopter(db, queue, now())
  const parts = { entries, lists, queue, group, now, life, sweep, adopt }

  return {
    ...entryOperations(parts),
    ...queueOperations(parts),
    async ping() {
      await group.run(() =>
        entries.write({ key: PING_KEY, value: Buffer.of(1), expiresAt: now() + PING_KEPT_MS }),
      )
    },
    // The file belongs to this process as long as it runs.
    connection: () => 0,
    life: async () => life.id,
    advice: async () =>
      (await isReadByOthers(dir)) ? ['DATA_DIR can be read by other users: chmod 700'] : [],
    async room() {
      const { bavail, blocks } = await statfs(dir)
      if (bavail < LEAST_FREE * blocks) throw new Error('the disk under DATA_DIR is nearly full')
    },
    async close() {
      group.flush()
      db.close()
    },
  }
}

type Parts = {
  entries: Entries
  lists: Lists
  queue: Queue
  group: GroupCommit
  now: () => number
  life: ReturnType<typeof createSqliteLife>
  sweep: (now: number) => void
  adopt: (now: number) => void
}

const entryOperations = ({
  entries,
  lists,
  group,
  now,
}: Parts): Pick<
  Store,
  'read' | 'readAt' | 'put' | 'answer' | 'counts' | 'listed' | 'census' | 'sessions'
> => ({
  async read(keys) {
    const at = now()
    return keys.map((key) => entries.read(key, at))
  },
  async readAt(key) {
    const at = now()
    return { at, entry: entries.read(key, at) }
  },
  async put(write, version) {
    return group.run(() => {
      const isFree = entries.isAt(write.key, version, now())
      if (isFree) entries.write(write)
      return isFree
    })
  },
  answer: (key, move) => group.run(() => entries.answer(key, move, now())),
  counts: async (asked) => asked.map(({ list, from }) => lists.count(list, from)),
  listed: async (list, piece) => lists.piece(list, piece),
  census: async (from = '', named?: string) => entries.census(from, now(), named),
  sessions: (termMs) => ({
    read: (key) => entries.read(key, now())?.value.toString('utf8'),
    write(key, text) {
      const write = { key, value: Buffer.from(text), expiresAt: Math.round(now() + termMs) }
      return group.run(() => entries.write(write))
    },
    delete: (key) => group.run(() => entries.write({ key, value: null })),
  }),
})

function queueOperations(
  parts: Parts,
): Pick<Store, 'post' | 'claim' | 'renew' | 'suspect' | 'begin' | 'commit' | 'backlog'> {
  const { queue, group, now, sweep, adopt, life } = parts
  const whileHeld = (claim: Claim, act: () => void) => () => {
    const isHeld = queue.holds(claim)
    if (isHeld) act()
    return isHeld
  }

  return {
    post: (post) => group.run(() => queue.post(post, now())),
    async claim(leaseMs, kinds) {
      const at = now()
      sweep(at)
      adopt(at)
      const actor = queue.next(at, kinds)
      return actor && queue.take(actor, at, leaseMs)
    },
    async renew(claim, leaseMs) {
      return whileHeld(claim, () => queue.renew(claim, now(), leaseMs))()
    },
    async suspect(claim, isAlone) {
      whileHeld(claim, () => queue.suspect(claim, isAlone))()
    },
    async begin(claim, leaseMs) {
      const begun = whileHeld(claim, () => {
        queue.renew(claim, now(), leaseMs)
        queue.begin(claim)
        life.noteBegun()
      })
      const isHeld = await group.run(begun)
      if (isHeld) life.noteOutside()
      return isHeld
    },
    async commit(claim, commit) {
      const at = now()
      return group.run(() => end(parts, claim, commit, at))
    },
    async backlog(kinds) {
      const at = now()
      return kinds.map((kind) => queue.backlog(at, kind))
    },
  }
}

/** Commits the handling of a claimed message, or changes nothing. */
function end({ entries, lists, queue }: Parts, claim: Claim, commit: Commit, now: number) {
  const { id, expects = [], writes = [], posts = [] } = commit
  const listed = commit.lists ?? []
  if (id && queue.isSeen(id, now)) return 'ok'
  if (!queue.holds(claim)) return 'lost'
  if (!expects.every(({ key, version }) => entries.isAt(key, version, now))) return 'conflict'
  for (const write of writes) entries.write(write)
  for (const each of listed) lists.list(each)
  for (const post of posts) queue.post(post, now)
  queue.end(claim, commit, now)
  return 'ok'
}

const ADOPT_EVERY_MS = 5_000
const dataVersion = z.object({ data_version: z.int() })

/** Adopts messages that a command posted: SQLite's data_version tells that another process wrote. */
function createAdopter(db: Database, queue: Queue, startedAt: number) {
  const sql = db.prepare('PRAGMA data_version')
  const read = () => dataVersion.parse(sql.get()).data_version
  let [checkedAt, seen] = [startedAt, read()]
  return (now: number): void => {
    if (Math.abs(now - checkedAt) < ADOPT_EVERY_MS) return
    checkedAt = now
    const version = read()
    if (version !== seen) queue.adopt()
    seen = version
  }
}

/** Deletes expired data from time to time, and removes all traces of deleted data. */
function createSweeper(db: Database, parts: readonly { sweep(now: number): void }[], startedAt: number) {
  let sweptAt = startedAt
  return (now: number): void => {
    if (Math.abs(now - sweptAt) < SWEEP_EVERY_MS) return
    sweptAt = now
    db.transaction(() => {
      for (const part of parts) part.sweep(now)
    })
    db.checkpoint()
  }
}
