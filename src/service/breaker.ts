import { ServiceError } from './errors.ts'

/** Spares a service that is down: after a run of failures, calls fail at once until a later trial. */
export type Breaker = ReturnType<typeof createBreaker>

/** This many `unavailable` in a row open the breaker. */
const FAILURES = 6
/** How long the breaker stays open before one trial. */
const OPEN_MS = 10_000
/** The same for a call that a person waits for: a repeated press finds a recovered service sooner. */
const AWAITED_MS = 1_000

/** Counts only failures of a service that is down; any answer, even a refusal, shows that it is up. */
export function createBreaker({ now }: { now: () => number }) {
  let failedInARow = 0
  let openedAt: number | undefined
  /** The one trial after the pause; this promise never rejects. */
  let trial: Promise<void> | undefined

  const isOpen = (isAwaited = false) =>
    openedAt !== undefined && Math.abs(now() - openedAt) < (isAwaited ? AWAITED_MS : OPEN_MS)

  function note(isUp: boolean, isTrial: boolean): void {
    if (isOpen() && !isTrial) return // a call that began before the breaker opened
    failedInARow = isUp ? 0 : failedInARow + 1
    openedAt = failedInARow >= FAILURES ? now() : undefined
  }

  async function watched<T>(attempt: () => Promise<T>, isTrial: boolean): Promise<T> {
    try {
      const result = await attempt()
      note(true, isTrial)
      return result
    } catch (error) {
      // Other errors, such as a call aborted by its caller, say nothing about the service.
      if (error instanceof ServiceError) note(error.code !== 'unavailable', isTrial)
      throw error
    }
  }

  return {
    /** Whether calls would fail at once; for an awaited call this ends sooner. */
    isOpen,
    /** Runs one attempt, or throws `unavailable` without running it. */
    async run<T>(attempt: () => Promise<T>, isAwaited?: boolean): Promise<T> {
      while (trial) await trial
      if (isOpen(isAwaited)) throw new ServiceError('unavailable', { reached: 'no' })
      const isTrial = openedAt !== undefined
      const result = watched(attempt, isTrial)
      if (!isTrial) return result
      const over = () => {
        trial = undefined
      }
      trial = result.then(over, over)
      return result
    },
  }
}
