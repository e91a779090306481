import type { Database } from './sqlite-database.ts'

type Waiting = {
  /** Runs the steps; what it returns tells of their result once that is on the disk. */
  run: () => () => void
  reject: (error: unknown) => void
}

export type GroupCommit = ReturnType<typeof createGroupCommit>

/**
 * The way of all writes to the disk. Commits what is asked for in one turn of the event loop together: the disk is what an operation waits for, and one
 * write to it serves them all.
 */
export function createGroupCommit(db: Pick<Database, 'transaction'>) {
  let waiting: Waiting[] = []

  function commit(group: readonly Waiting[]): void {
    try {
      const done = db.transaction(() => group.map(({ run }) => run()))
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

  return {
    /** Commits at once what waits. */
    flush,
    /** Runs the steps all together or, when one throws, not at all. Resolves when they are on the disk. */
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
