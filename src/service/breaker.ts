import { ServiceError } from './errors.ts'

/** Spares a service that is down: after a run of failures calls fail at once for a while, then one is tried. */
export type Breaker = ReturnType<typeof createBreaker>

/** So many `unavailable` in a row open it. */
const FAILURES = 6
/** How long it stays open before one attempt is let through. */
const OPEN_MS = 10_000
/** The same for an attempt that somebody waits for: who presses a button once more finds a service that is up again. */
const AWAITED_MS = 1_000

/** A breaker that counts only what says that the service is down; any answer, a refusal too, says that it is up. */
export function createBreaker({ now }: { now: () => number }) {
  let failedInARow = 0
  let openedAt: number | undefined
  /** The one attempt after the pause, which never rejects here. */
  let trial: Promise<void> | undefined

  const isOpen = (isAwaited = false) =>
    openedAt !== undefined && Math.abs(now() - openedAt) < (isAwaited ? AWAITED_MS : OPEN_MS)

  function note(isUp: boolean, isTrial: boolean): void {
    if (isOpen() && !isTrial) return // a late end of what began before
    failedInARow = isUp ? 0 : failedInARow + 1
    openedAt = failedInARow >= FAILURES ? now() : undefined
  }

  async function watched<T>(attempt: () => Promise<T>, isTrial: boolean): Promise<T> {
    try {
      const result = await attempt()
      note(true, isTrial)
      return result
    } catch (error) {
      // Anything else, such as a call that its caller gave up, says nothing about the service.
      if (error instanceof ServiceError) note(error.code !== 'unavailable', isTrial)
      throw error
    }
  }

  return {
    /** Whether calls would fail at once; one that is awaited does so for a shorter while. */
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
