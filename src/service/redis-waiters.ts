import { LONGEST_CALL_MS } from './budget.ts'
import type { Entry } from './redis-budget-operations.ts'
import type { Waiting } from './wait-for-slot.ts'

/** `entered` is the number of the operation that put it into line; none while it is not there. */
export type Waiter = { entry: Entry; askedAt: number; waiting: Waiting; entered: number | undefined }

export type Waiters = ReturnType<typeof createWaiters>
export type Calls = ReturnType<typeof createCalls>

/** Who of this replica waits, and which of them Redis should know. */
export function createWaiters() {
  const waiters = new Map<string, Waiter>()
  const coming: Waiter[] = []
  let operations = 0
  const all = () => [...waiters.values()]

  return {
    all,
    get size() {
      return waiters.size
    },
    get: (id: string) => waiters.get(id),
    delete: (id: string) => waiters.delete(id),
    /** Numbers an operation that begins. */
    operation: () => operations++,
    /** Adds one; who comes at the same time enters together. */
    add(waiter: Waiter, enter: (came: Waiter[]) => void): void {
      waiters.set(waiter.entry.id, waiter)
      if (coming.push(waiter) > 1) return
      queueMicrotask(() => enter(coming.splice(0).filter(({ entry }) => waiters.has(entry.id))))
    },
    /** Notes that they enter; returns them as they stand. */
    enter(entering: readonly Waiter[]): Entry[] {
      return entering.map((waiter) => {
        const { entry, askedAt } = waiter
        waiter.entered = operations++
        // From now on its place is that of its time, whatever becomes of it in Redis.
        waiter.entry = { ...entry, since: entry.since || askedAt }
        return entry
      })
    },
    /** They have not entered, or perhaps they have. */
    fail(entering: readonly Waiter[]): void {
      for (const waiter of entering) waiter.entered = undefined
    },
    /** Who has to enter, perhaps again, where an operation found only so many in line. */
    missing(known: number, operation: number): Waiter[] {
      const entered = all().filter((one) => one.entered !== undefined && one.entered < operation)
      const outside = all().filter((one) => one.entered === undefined && !coming.includes(one))
      // Who left meanwhile may still be known.
      return known < entered.length ? [...entered, ...outside] : outside
    },
    /** Nobody waits any more; returns who did. */
    clear(): Waiter[] {
      const left = all()
      waiters.clear()
      return left
    },
  }
}

type Ends = { now: () => number } & Record<'release' | 'leave', (id: string) => Promise<unknown>>

/** Calls of this replica that are under way, and when they began. */
export function createCalls({ now, release, leave }: Ends) {
  const begunAt = new Map<string, number>()
  return {
    get size() {
      return begunAt.size
    },
    /** Those that take unusually long. */
    long: () => [...begunAt].filter(([, at]) => now() - at >= LONGEST_CALL_MS / 2).map(([id]) => id),
    begin({ entry: { id }, waiting }: Waiter): void {
      begunAt.set(id, now())
      const once = async (end: (id: string) => Promise<unknown>) => {
        // When Redis does not hear of the end, the call counts as one that took as long as it could.
        if (begunAt.delete(id)) await end(id).catch(() => undefined)
      }
      waiting.grant({ release: () => once(release), cancel: () => once(leave) })
    },
  }
}
