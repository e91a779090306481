import type { Database } from './sqlite-database.ts'

type Waiting = {
  /** Runs the steps; what it returns tells of their result once that is on the disk. */
  run: () => () => void
  reject: (error: unknown) => void
  toDisk: boolean
}

/** The way of all writes to the disk. */
export type GroupCommit = {
  /** Runs the steps all together or, when one throws, not at all. Resolves when they are on the disk. */
  run<T>(steps: () => T): Promise<T>
  /** The same for what nobody misses after a power cut: it does not wait for the disk. */
  runUnsynced<T>(steps: () => T): Promise<T>
  /** Commits at once what waits. */
  flush(): void
}

/**
 * Commits what is asked for in one turn of the event loop together: the disk is what an operation waits for, and one
 * write to it serves them all.
 */
export function createGroupCommit(db: Pick<Database, 'transaction'>): GroupCommit {
  let waiting: Waiting[] = []

  function commit(group: readonly Waiting[]): void {
    try {
      const toDisk = group.some((each) => each.toDisk)
      const done = db.transaction(() => group.map(({ run }) => run()), toDisk)
      for (const tell of done) tell()
    } catch (error) {
      // The one that failed took the others with it, so each is tried by itself.
      if (group.length > 1) for (const each of group) commit([each])
      else for (const { reject } of group) reject(error)
    }
  }

  function flush(): void {
    const group = waiting
    waiting = []
    if (group.length > 0) commit(group)
  }

  const queued = <T>(steps: () => T, toDisk: boolean) =>
    new Promise<T>((resolve, reject) => {
      const run = () => {
        const result = steps()
        return () => resolve(result)
      }
      waiting.push({ run, reject, toDisk })
      if (waiting.length === 1) setImmediate(flush)
    })

  return {
    flush,
    run: (steps) => queued(steps, true),
    runUnsynced: (steps) => queued(steps, false),
  }
}
