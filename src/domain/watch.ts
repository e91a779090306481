import { DAY_MS, HOUR_MS, TEHRAN_MS } from './durations.ts'
import { isFilledIn } from './profile.ts'
import { isIn, type RecordFile } from './record/record.ts'
import { STUCK_MS } from './record/standing.ts'
import { allFinished, holderOf, mayAnswer, rolesAwaited, rolesHeldBy } from './roadmap.ts'

/** Organizers are warned so long before what is owed is deleted. */
const WARNED_DAYS_BEFORE = 14

export const SCREEN_LOOK_MS = 120_000
/** Telegram keeps a tap for so long; later ones of an outage are gone. */
const TAP_LIFE_MS = 150_000
/** What was written during an outage comes first: it is for the question that stands, which is then shown anew. */
const WRITTEN_FIRST_MS = 3_000
/** What has waited for the morning, or for an hour of the day, goes out within so long. */
const SPREAD_MS = 30 * 60_000
/** Who has not answered for so long does not look at the screen. */
export const AWAY_AFTER_MS = 30 * 60_000
/** What waits for the organizer is looked at with growing pauses. */
export const FIRST_WAIT_MS = 10 * 60_000
const LONGEST_WAIT_MS = 2 * HOUR_MS
const WAIT_GROWTH = 1.5

/** No reminder is sent between these hours of the day in Tehran; equal hours mean none are quiet. */
export type QuietHours = { from: number; to: number }

/** What is watched over, with what is known of it when it is looked at. */
export type Watched =
  /** What an account has not finished: recalled some hours after its last activity, never at night. */
  | {
      watch: 'reminder'
      hours: readonly number[]
      quiet: QuietHours
      lastActivityAt: number
      sent: number
      hour?: number | undefined
    }
  /**
   * A record or roadmap. Organizers are told once of each last activity with which it stays unfinished, and warned once of
   * each time at which what is complete, or owed, is going to be deleted.
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
  /** The question that is shown: a look that comes so late that taps were lost means an outage, which is noticed at a time. */
  | { watch: 'screen'; dueAt: number; lastActivityAt: number; noticedAt?: number | undefined }
  /** What waits for the organizer (status 0), by day and until a time. */
  | { watch: 'opening'; quiet: QuietHours; waitMs: number; until: number }

/** What is due now, and when it is looked at again, if ever. */
export type Next = {
  due?: 'reminder' | 'stuck' | 'warning' | 'redraw' | 'look'
  again?: number
  noticedAt?: number
}

/** What is due of what is watched over. */
export function nextDue(watched: Watched, now: number): Next {
  switch (watched.watch) {
    case 'reminder': {
      const due = reminderDue(watched.hours, watched)
      if (due === undefined) return {}
      const wished = Math.max(due, now)
      const heard = afterQuietHours(watched.quiet, atHour(watched.hour, wished))
      // By when each was here last: all at one moment would hold up whoever answers then.
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
      // Who has gone on since sees what stands.
      if (isLate && lastActivityAt < (noticedAt ?? now)) return { due: 'redraw' }
      return now - lastActivityAt > AWAY_AFTER_MS ? {} : { again: now + SCREEN_LOOK_MS }
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

/**
 * Whether it is this account's turn: of a roadmap, whose tests these are, only while something is left that nobody else can do.
 * `apart`: those of them that were begun by a link of their own.
 */
export function isTheirTurn(
  file: RecordFile,
  who: string,
  owner: string | undefined,
  tests: readonly RecordFile[] = [],
  apart: readonly RecordFile[] = [],
): boolean {
  const { roadmap } = file
  // Before the registration each gives their own details.
  if (isIn(file, 'profile') && roadmap) {
    const awaited = rolesAwaited(roadmap).map(({ id }) => holderOf(roadmap, id, undefined))
    if (awaited.includes(who)) return true
    // Who began has nothing to do while only those who have accepted are left.
    const isOthers = awaited.length > 0 && !awaited.includes(undefined)
    return owner === who && !(isOthers && isFilledIn(file.state.draft))
  }
  if (!roadmap || !isIn(file, 'board', 'failed'))
    return owner === who && isIn(file, 'profile', 'code', 'loading', 'questions')
  // Without the one who began, whoever takes part calls for the report.
  if (allFinished(roadmap)) return owner === who || (!owner && rolesHeldBy(roadmap, who, owner).length > 0)
  const isHeld = (test: RecordFile) => isIn(test, 'submitting', 'waiting', 'refused') || apart.includes(test)
  const held = tests.filter(isHeld).map(({ s }) => s)
  return roadmap.records.some(
    ({ s, role, isFinished }) => !isFinished && !held.includes(s) && mayAnswer(roadmap, role, who, owner),
  )
}
