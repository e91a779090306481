/** Milliseconds. */
export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** What Tehran is ahead of UTC: it has had no summer time since 2022. */
export const TEHRAN_MS = 3.5 * HOUR_MS

/** Complete answers that were not sent, and results that are owed, are kept so long, whatever `RETENTION_DAYS` says. */
export const OWED_DAYS = 90

/**
 * An account without activity is kept longer than all that it may have begun, so that /forget finds everything: the term
 * of a file begins anew when the full name leaves it.
 */
export const accountDays = (retentionDays: number): number =>
  Math.ceil(Math.max(180, 2 * retentionDays + OWED_DAYS, 3 * retentionDays + 8))

/** How long to wait after so many tries in a row; the last step is kept to. */
export const backOffMs = (steps: readonly number[], tries: number): number =>
  steps[Math.min(tries, steps.length) - 1] ?? 0
