/** Milliseconds. */
export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** How far Tehran is ahead of UTC. It has had no summer time since 2022. */
export const TEHRAN_MS = 3.5 * HOUR_MS

/** Days that complete unsent answers and owed results are kept, whatever `RETENTION_DAYS` says. */
export const OWED_DAYS = 90

/**
 * Days that an inactive account is kept: longer than anything it may have begun, so that /forget finds
 * everything. The term of a file begins again when the full name leaves it.
 */
export const accountDays = (retentionDays: number): number =>
  Math.ceil(Math.max(180, 2 * retentionDays + OWED_DAYS, 3 * retentionDays + 8))

/** The wait after this many tries in a row. The last step is repeated. */
export const backOffMs = (steps: readonly number[], tries: number): number =>
  steps[Math.min(tries, steps.length) - 1] ?? 0
