import type { Host } from './time.ts'

/** Something that a replica has heard, and when. */
export type Heard = { host: Host; at: number }

/** What was heard is kept within so long, unless the replica dies. */
export const KEPT_MS = 10_000

/** Whether what a replica has heard is surely kept: it went on living, and the store did not go back. */
export const isSurelyKept = (
  { host, at }: Heard,
  hasForgotten: (from: number, to: number) => boolean,
): boolean =>
  !(host.diedAt !== undefined && host.diedAt - at < KEPT_MS) &&
  host.frozenUntil < at &&
  !hasForgotten(at - KEPT_MS, Number.POSITIVE_INFINITY)

/** What the store knows of each key: put back to a moment, it knows again what it knew then. */
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
