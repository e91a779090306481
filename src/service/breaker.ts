import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen, isBrokenCircuitError } from 'cockatiel'
import { ServiceError } from './errors.ts'

/** Spares a service that is down: after a run of failures calls fail at once for a while, then one is tried. */
export type Breaker = {
  /** Whether calls would fail at once. */
  isOpen(): boolean
  /** Runs one attempt, or throws `unavailable` without running it. */
  run<T>(attempt: () => Promise<T>): Promise<T>
}

export type BreakerOptions = {
  /** So many `unavailable` in a row open it. */
  failures?: number
  /** How long it stays open before one attempt is let through. */
  openMs?: number
  onChange?: (isOpen: boolean) => void
}

const isUnavailable = (error: unknown) => error instanceof ServiceError && error.code === 'unavailable'

/** A breaker that counts only what says that the service is down; any answer, a refusal too, says that it is up. */
export function createBreaker({ failures = 6, openMs = 10_000, onChange }: BreakerOptions = {}): Breaker {
  const policy = circuitBreaker(handleWhen(isUnavailable), {
    breaker: new ConsecutiveBreaker(failures),
    halfOpenAfter: openMs,
  })
  let openedAt = 0
  policy.onBreak(() => {
    openedAt = Date.now() // cockatiel's own clock
    onChange?.(true)
  })
  policy.onReset(() => onChange?.(false))

  return {
    isOpen: () => policy.state === CircuitState.Open && Date.now() - openedAt < openMs,
    async run<T>(attempt: () => Promise<T>): Promise<T> {
      try {
        const result = await policy.execute(async () => {
          try {
            return { value: await attempt() }
          } catch (error) {
            // A refusal is an answer. Returned, because cockatiel does not count a foreign error as a success.
            if (error instanceof ServiceError && !isUnavailable(error)) return { refusal: error }
            throw error
          }
        })
        if ('refusal' in result) throw result.refusal
        return result.value
      } catch (error) {
        if (!isBrokenCircuitError(error)) throw error
        throw new ServiceError('unavailable', { reached: 'no', cause: error })
      }
    },
  }
}
