import type { Host } from './time.ts'

/** The replica that received some news, and when. */
export type Heard = { host: Host; at: number }

/** A replica stores its news within this time, unless it dies. */
export const KEPT_MS = 10_000

/** Whether the replica has surely stored its news: it stayed alive, and the store was not put back. */
export const isSurelyKept = (
  { host, at }: Heard,
  hasForgotten: (from: number, to: number) => boolean,
): boolean =>
  !(host.diedAt !== undefined && host.diedAt - at < KEPT_MS) &&
  host.frozenUntil < at &&
  !hasForgotten(at - KEPT_MS, Number.POSITIVE_INFINITY)

/** The values of each key in the store; putting it back restores the values of that moment. */
export function createHistory<T>(elapsed: () => number) {
  const known = new Map<string, { at: number; value: T }[]>()
  return {
    get: (key: string): T | undefined => known.get(key)?.at(-1)?.value,
    set(key: string, value: T): void {
      const values = known.get(key) ?? []
      values.push({ at: elapsed(), value })
      known.set(key, values)
    },
    putBack(to: number): void {
      for (const [key, values] of known)
        known.set(
          key,
          values.filter(({ at }) => at < to),
        )
    },
  }
}
