import { ServiceError } from './errors.ts'

/** Spares a service that is down: after a run of failures calls fail at once for a while, then one is tried. */
export type Breaker = {
  /** Whether calls would fail at once. */
  isOpen(): boolean
  /** Runs one attempt, or throws `unavailable` without running it. */
  run<T>(attempt: () => Promise<T>): Promise<T>
}

type BreakerOptions = {
  /** So many `unavailable` in a row open it. */
  failures?: number
  /** How long it stays open before one attempt is let through. */
  openMs?: number
  now?: () => number
  onChange?: (isOpen: boolean) => void
}

/** A breaker that counts only what says that the service is down; any answer, a refusal too, says that it is up. */
export function createBreaker(options: BreakerOptions = {}): Breaker {
  const { failures = 6, openMs = 10_000, now = Date.now, onChange } = options
  let failedInARow = 0
  let openedAt: number | undefined
  /** The one attempt after the pause, which never rejects here. */
  let trial: Promise<void> | undefined

  const isOpen = () => openedAt !== undefined && now() - openedAt < openMs

  function note(isUp: boolean): void {
    if (isOpen()) return // a late end of what began before
    const wasClosed = openedAt === undefined
    failedInARow = isUp ? 0 : failedInARow + 1
    openedAt = failedInARow >= failures ? now() : undefined
    if (wasClosed !== (openedAt === undefined)) onChange?.(wasClosed)
  }

  async function watched<T>(attempt: () => Promise<T>): Promise<T> {
    try {
      const result = await attempt()
      note(true)
      return result
    } catch (error) {
      // Anything else, such as a call that its caller gave up, says nothing about the service.
      if (error instanceof ServiceError) note(error.code !== 'unavailable')
      throw error
    }
  }

  return {
    isOpen,
    async run(attempt) {
      while (trial) await trial
      if (isOpen()) throw new ServiceError('unavailable', { reached: 'no' })
      const result = watched(attempt)
      if (openedAt === undefined) return result
      const over = () => {
        trial = undefined
      }
      trial = result.then(over, over)
      return result
    },
  }
}
