import { DAY_MS, HOUR_MS, TEHRAN_MS } from './durations.ts'

/** No reminder is sent between these hours of the day in Tehran; equal hours mean none are quiet. */
type QuietHours = { from: number; to: number }

/** When the next reminder after `sent` earlier ones is due; `undefined` when all have been sent. */
export function reminderDue(
  hours: readonly number[],
  { lastActivityAt, sent }: { lastActivityAt: number; sent: number },
): number | undefined {
  const after = hours.toSorted((one, other) => one - other)[sent]
  return after === undefined ? undefined : lastActivityAt + after * HOUR_MS
}

/** The first moment from `at` on that is not quiet in Tehran. */
export function afterQuietHours({ from, to }: QuietHours, at: number): number {
  const hour = (((at + TEHRAN_MS) % DAY_MS) + DAY_MS) % DAY_MS
  const start = from * HOUR_MS
  const end = to * HOUR_MS
  const isQuiet = from <= to ? hour >= start && hour < end : hour >= start || hour < end
  if (!isQuiet) return at
  return at + ((end - hour + DAY_MS) % DAY_MS)
}
