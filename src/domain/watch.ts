import { DAY_MS, HOUR_MS, TEHRAN_MS } from './durations.ts'
import { STUCK_MS } from './record/standing.ts'

/** Organizers are warned this many days before owed data is deleted. */
const WARNED_DAYS_BEFORE = 14

export const SCREEN_CHECK_MS = 120_000
/** Telegram keeps a tap this long. Older taps of an outage are lost. */
const TAP_LIFE_MS = 150_000
/** Messages written in an outage come first: they are for the shown question, which is then sent again. */
const WRITTEN_FIRST_MS = 3_000
/** Reminders that have waited for the morning, or for an hour of the day, are spread over this time. */
const SPREAD_MS = 30 * 60_000
/** A participant who has not answered for this long does not look at the screen. */
export const AWAY_AFTER_MS = 30 * 60_000
/** Files that wait for the organizer are checked with growing pauses. */
export const FIRST_WAIT_MS = 10 * 60_000
const LONGEST_WAIT_MS = 2 * HOUR_MS
const WAIT_GROWTH = 1.5

/** No reminder is sent between these hours of the day in Tehran; equal hours mean none are quiet. */
export type QuietHours = { from: number; to: number }

/** The subjects of the watch, each with its state at the time of the check. */
export type Watched =
  /** An account with unfinished tests: it is reminded some hours after its last activity, never at night. */
  | {
      watch: 'reminder'
      hours: readonly number[]
      quiet: QuietHours
      lastActivityAt: number
      sent: number
      hour?: number | undefined
    }
  /**
   * A record or roadmap. Organizers are notified once of each last activity after which it stays unfinished,
   * and warned once of each time at which complete or owed data is going to be deleted.
   */
  | {
      watch: 'record'
      quiet: QuietHours
      lastActivityAt: number
      isUnfinished: boolean
      deletedAt?: number | undefined
      toldAt?: number | undefined
      warnedOf?: number | undefined
    }
  /** The shown question. A check so late that taps were lost means an outage, seen at `noticedAt`. */
  | { watch: 'screen'; dueAt: number; lastActivityAt: number; noticedAt?: number | undefined }
  /** A file that waits for the organizer (status 0): checked in the daytime, until a time. */
  | { watch: 'opening'; quiet: QuietHours; waitMs: number; until: number }

/** What is due now, and the time of the next check, if there is one. */
export type Next = {
  due?: 'reminder' | 'stuck' | 'warning' | 'redraw' | 'look'
  again?: number
  noticedAt?: number
}

/** Decides what is due for a subject of the watch, and when it is checked again. */
export function nextDue(watched: Watched, now: number): Next {
  switch (watched.watch) {
    case 'reminder': {
      const due = reminderDue(watched.hours, watched)
      if (due === undefined) return {}
      const wished = Math.max(due, now)
      // An hour that has become a quiet one since it was chosen would put off the reminder for ever.
      const hour =
        watched.hour !== undefined && isOutside(watched.quiet, watched.hour) ? watched.hour : undefined
      const heard = afterQuietHours(watched.quiet, atHour(hour, wished))
      // Spread by the last activity: sending all at one moment would delay participants who answer then.
      const at = heard > wished ? heard + (due % SPREAD_MS) : wished
      return at <= now ? { due: 'reminder', again: now } : { again: at }
    }
    case 'record': {
      const { quiet, lastActivityAt, isUnfinished, deletedAt = Infinity, toldAt, warnedOf } = watched
      const stuckAt = lastActivityAt + STUCK_MS
      const warnAt = afterQuietHours(quiet, deletedAt - WARNED_DAYS_BEFORE * DAY_MS)
      if (warnAt <= now && warnedOf !== deletedAt) return { due: 'warning', again: now }
      if (stuckAt <= now && isUnfinished && toldAt !== lastActivityAt) return { due: 'stuck', again: now }
      const later = [stuckAt, warnAt].filter((at) => at > now)
      return { again: Math.min(now + STUCK_MS, ...later) }
    }
    case 'screen': {
      const { dueAt, lastActivityAt, noticedAt } = watched
      const isLate = now - dueAt > TAP_LIFE_MS && dueAt - lastActivityAt < AWAY_AFTER_MS
      if (isLate && noticedAt === undefined) return { again: now + WRITTEN_FIRST_MS, noticedAt: now }
      // A participant who has gone on since sees the current question.
      if (isLate && lastActivityAt < (noticedAt ?? now)) return { due: 'redraw' }
      return now - lastActivityAt > AWAY_AFTER_MS ? {} : { again: now + SCREEN_CHECK_MS }
    }
    case 'opening': {
      if (now > watched.until) return {}
      const morning = afterQuietHours(watched.quiet, now)
      if (morning > now) return { again: morning }
      return { due: 'look', again: now + Math.min(watched.waitMs * WAIT_GROWTH, LONGEST_WAIT_MS) }
    }
  }
}

/** When the next reminder after `sent` earlier ones is due; `undefined` when all have been sent. */
export function reminderDue(
  hours: readonly number[],
  { lastActivityAt, sent }: { lastActivityAt: number; sent: number },
): number | undefined {
  const after = hours.toSorted((one, other) => one - other)[sent]
  return after === undefined ? undefined : lastActivityAt + after * HOUR_MS
}

/** The first moment from `at` on within this hour of the day in Tehran. */
function atHour(hour: number | undefined, at: number): number {
  if (hour === undefined) return at
  const since = (((at + TEHRAN_MS - hour * HOUR_MS) % DAY_MS) + DAY_MS) % DAY_MS
  return since < HOUR_MS ? at : at + DAY_MS - since
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

/** Whether this hour of the day is not quiet. */
export function isOutside(quiet: QuietHours, hour: number): boolean {
  const at = hour * HOUR_MS - TEHRAN_MS
  return afterQuietHours(quiet, at) === at
}
