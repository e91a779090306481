import { backOffMs } from '../domain/back-off.ts'
import { HOUR_MS } from '../domain/durations.ts'
import { budgetRules, type Limits, limitsOf } from './budget.ts'
import type { Lane } from './endpoints.ts'
import { createSlidingLog } from './sliding-log.ts'

/**
 * When calls may begin: both windows, the background's own pace and its floor, and what a 429 leaves behind.
 * `since` is when the first of the background's line began to wait, if anybody does.
 */
export function createPace(options: { perMinute: number; perHour: number }) {
  const limits = limitsOf(options)
  const floor = createFloor(limits.floor)
  const refusals = createRefusals()
  let log = createSlidingLog()

  const windowsAt = (t: number) => (refusals.isHalved(t) ? limits.halved : limits.whole)

  /**
   * When the head of a lane may have its slot under these windows, at the earliest.
   *
   * An example with 100 a minute: 49 calls of participants ended at 12:00:00, and at 12:00:10 a background call has
   * waited for 5 s. A participant's would begin at once, as the 50th of 100. Background calls begin while fewer than 49
   * are used, so at its own pace this one begins when those are a minute old, at 12:01:00; but the floor owes it a slot
   * after 12 s of waiting, at 12:00:17. The earlier of the two counts. Had all 100 been used, the floor would have to
   * wait for room as well, until 12:01:00.
   */
  function opensUnder(windows: Limits['whole'], lane: Lane, t: number, since?: number): number {
    const paced = log.opensAt(windows[lane], 1, t)
    if (lane === 'participant') return paced
    const room = log.opensAt(windows.participant, 1, t)
    const owed = Math.max(room, floor.owedAt(t, since))
    return Math.min(paced, owed)
  }

  return {
    /** Goes on with what was called before a restart. */
    load(past: readonly number[], t: number): void {
      log = createSlidingLog(past.map((at) => Math.min(at, t)).filter((at) => at >= t - HOUR_MS))
    },
    /** When the background lane is owed a slot whatever the participants do. */
    floorAt: floor.owedAt,
    /**
     * When the head of a lane may have its slot, at the earliest, with what a 429 left behind.
     *
     * An example: until 12:02:00 only 50 of 100 calls a minute are used, and 50 calls ended at 12:00:00. Asked at
     * 12:00:30: under the halved cap the next one begins at 12:01:00; under the whole cap there is room at once, but it
     * is back only at 12:02:00. The earlier of the two counts. (Had the 50 ended at 12:01:30, that would be 12:02:00.)
     * And no call begins in a pause.
     */
    opensAt(lane: Lane, t: number, since?: number): number {
      const whole = Math.max(opensUnder(limits.whole, lane, t, since), refusals.halvedUntil)
      const opens = Math.min(opensUnder(windowsAt(t), lane, t, since), whole)
      return Math.max(opens, refusals.pausedUntil)
    },
    /** About how long whoever has this place waits. */
    etaMs(lane: Lane, place: number, t: number): number {
      return Math.max(log.opensAt(windowsAt(t)[lane], place, t), refusals.pausedUntil) - t
    },
    /** What counts in both windows, and how long nobody may begin. */
    usage(t: number) {
      const { minute, hour } = windowsAt(t).participant
      return {
        minute: { used: log.used(minute.ms, t), limit: minute.limit },
        hour: { used: log.used(hour.ms, t), limit: hour.limit },
        pausedMs: Math.max(0, refusals.pausedUntil - t),
      }
    },
    begin(lane: Lane, t: number): void {
      log.begin()
      if (lane === 'background') floor.begin(t)
    },
    /** `at` is left out when the call was never made. */
    end: (at?: number) => log.end(at),
    pause: refusals.pause,
  }
}

/** What background calls get even when participants wait. */
function createFloor({ calls, spacingMs }: Limits['floor']) {
  /** The last background calls, as many as the floor holds. */
  const begunAt: number[] = []

  return {
    begin(t: number): void {
      if (begunAt.push(t) > calls) begunAt.shift()
    },
    owedAt(t: number, since = t): number {
      const waited = since + spacingMs
      const [earliest] = begunAt
      if (earliest === undefined || begunAt.length < calls) return waited
      return Math.max(waited, earliest + calls * spacingMs)
    },
  }
}

/** What the service's 429s leave behind: a pause, and half of the budget for a while. */
function createRefusals() {
  let pausedUntil = 0
  let halvedUntil = 0
  let pauses = 0

  return {
    get pausedUntil() {
      return pausedUntil
    },
    get halvedUntil() {
      return halvedUntil
    },
    isHalved: (t: number) => t < halvedUntil,
    pause(t: number, retryAfterMs?: number): void {
      if (t > halvedUntil) pauses = 0
      // Calls that were under way together are refused together: that is one reason to pause, not many.
      if (retryAfterMs === undefined && t < pausedUntil) return
      const stepMs = backOffMs(budgetRules.pauseStepsMs, pauses + 1)
      if (t >= pausedUntil) pauses += 1
      pausedUntil = Math.max(pausedUntil, t + Math.min(retryAfterMs ?? stepMs, HOUR_MS))
      halvedUntil = pausedUntil + budgetRules.halvedForMs
    },
  }
}
