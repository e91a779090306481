import { backOffMs } from '../domain/back-off.ts'
import { HOUR_MS } from '../domain/durations.ts'
import { type BudgetUsage, budgetRules, type Limits, LONGEST_CALL_MS, type Windows } from './budget.ts'
import type { BudgetValue } from './budget-value.ts'
import type { Lane } from './endpoints.ts'

/**
 * When calls may begin, as the value stands at this time: both windows, the background's own pace and its floor, and
 * what a 429 leaves behind. `since` is when the first of the background's line began to wait.
 */
export function paceAt(limits: Limits, value: BudgetValue, t: number) {
  /** Calls under way stand behind all others, with the time when they must have ended. */
  const times = [...value.ended, ...Object.values(value.underWay)].sort((one, other) => one - other)
  const { whole, halved, floor } = limits
  const isHalved = t < value.halvedUntil
  const windows = isHalved ? halved : whole

  /** When the background lane is owed a slot whatever the participants do. */
  function owedAt(since: number): number {
    const earliest = value.floor.length < floor.calls ? undefined : value.floor.at(-floor.calls)
    const waited = since + floor.spacingMs
    return earliest === undefined ? waited : Math.max(waited, earliest + floor.calls * floor.spacingMs)
  }

  /**
   * When the head of a lane may have its slot under these windows, at the earliest.
   *
   * An example with 100 a minute: 49 calls of participants ended at 12:00:00, and at 12:00:10 a background call has
   * waited for 5 s. A participant's would begin at once, as the 50th of 100. Background calls begin while fewer than 49
   * are used, so at its own pace this one begins when those are a minute old, at 12:01:00; but the floor owes it a slot
   * after 12 s of waiting, at 12:00:17. The earlier of the two counts. Had all 100 been used, the floor would have to
   * wait for room as well, until 12:01:00.
   */
  function opensUnder(under: Limits['whole'], lane: Lane, since: number): number {
    const paced = opensBy(times, under[lane], 1, t)
    if (lane === 'participant') return paced
    return Math.min(paced, Math.max(opensBy(times, under.participant, 1, t), owedAt(since)))
  }

  return {
    owedAt,
    /**
     * When the head of a lane may have its slot, at the earliest, with what a 429 left behind.
     *
     * An example: until 12:02:00 only 50 of 100 calls a minute are used, and 50 calls ended at 12:00:00. Asked at
     * 12:00:30: under the halved cap the next one begins at 12:01:00; under the whole cap there is room at once, but it
     * is back only at 12:02:00. The earlier of the two counts. (Had the 50 ended at 12:01:30, that would be 12:02:00.)
     * And no call begins in a pause.
     */
    opensAt(lane: Lane, since = t): number {
      const back = Math.max(opensUnder(whole, lane, since), value.halvedUntil)
      const opens = isHalved
        ? Math.min(opensUnder(halved, lane, since), back)
        : opensUnder(whole, lane, since)
      return Math.max(opens, value.pausedUntil)
    },
    /** About how long whoever has this place waits. */
    etaMs: (lane: Lane, place: number): number =>
      Math.ceil(Math.max(opensBy(times, windows[lane], place, t), value.pausedUntil) - t),
    /** What counts in both windows, and how long nobody may begin. */
    usage(): Omit<BudgetUsage, 'waiting'> {
      const { minute, hour } = windows.participant
      const used = (ms: number) => times.length - firstFrom(times, t - ms)
      return {
        minute: { used: used(minute.ms), limit: minute.limit },
        hour: { used: used(hour.ms), limit: hour.limit },
        pausedMs: Math.max(0, value.pausedUntil - t),
      }
    },
    /** A call has its slot: it counts from now, for as long as it can take. */
    begin(id: string, lane: Lane): void {
      value.underWay[id] = t + LONGEST_CALL_MS
      times.push(t + LONGEST_CALL_MS)
      if (lane === 'background') value.floor = [...value.floor, t].slice(-floor.calls)
    },
  }
}

/** The service has answered 429. */
export function pause(value: BudgetValue, retryAfterMs: number | undefined, t: number): void {
  if (t > value.halvedUntil) value.pauses = 0
  const isPaused = t < value.pausedUntil
  // Calls that were under way together are refused together: that is one reason to pause, not many.
  if (isPaused && retryAfterMs === undefined) return
  const stepMs = backOffMs(budgetRules.pauseStepsMs, value.pauses + 1)
  if (!isPaused) value.pauses += 1
  value.pausedUntil = Math.max(value.pausedUntil, t + Math.min(retryAfterMs ?? stepMs, HOUR_MS))
  value.halvedUntil = value.pausedUntil + budgetRules.halvedForMs
}

/**
 * The earliest time at which the `n`-th further call may begin; `t` when it may at once.
 *
 * An example: three calls a minute, and calls that ended at 0:10 and 0:20 and one under way; now it is 0:40. The
 * first further call has to wait until the end at 0:10 is more than a minute old: one must expire, so it opens at
 * 1:10 (and 1 ms). The second needs two to expire: 1:20. The third needs the call under way to expire as well,
 * which ends now at the earliest: 1:40. The fourth goes one round later than the first, whose slot it takes: 2:10.
 */
function opensBy(times: readonly number[], { minute, hour }: Windows, n: number, t: number): number {
  const opens = [minute, hour].map(({ ms, limit }) => {
    // A call beyond the limit follows, one window later, the call that is `limit` places ahead of it.
    const rounds = Math.floor((n - 1) / limit)
    const first = firstFrom(times, t - ms)
    const mustExpire = times.length - first + (n - rounds * limit) - limit
    if (mustExpire <= 0) return t + rounds * (ms + 1)
    // What is under way ends now at the earliest.
    return Math.min(times[first + mustExpire - 1] ?? t, t) + (rounds + 1) * (ms + 1)
  })
  return Math.max(t, ...opens)
}

/** The place of the first time that is not before this one. */
function firstFrom(times: readonly number[], from: number): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? from) >= from) high = middle
    else low = middle + 1
  }
  return low
}
