import { HOUR_MS } from '../domain/durations.ts'
import type { Windows } from './budget.ts'

/** A log of when the calls of the last hour ended, in the order of time. A call under way counts as ending now. */
export function createSlidingLog(initial: readonly number[] = []) {
  const ends = [...initial].sort((a, b) => a - b)
  let underWay = 0

  /** Index of the first end that still counts in a window of this length. */
  function firstWithin(ms: number, now: number): number {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] ?? now) >= now - ms) high = middle
      else low = middle + 1
    }
    return low
  }

  return {
    begin: () => {
      underWay += 1
    },
    /** A call that was under way is over; `at` is left out when it was never made. */
    end: (at?: number) => {
      underWay -= 1
      if (at === undefined) return
      ends.push(Math.max(at, ends.at(-1) ?? at))
      const expired = firstWithin(HOUR_MS, at)
      if (expired > 500) ends.splice(0, expired)
    },
    /** How many calls count in a window of this length. */
    used: (ms: number, now: number): number => ends.length - firstWithin(ms, now) + underWay,
    /** When the calls of the last hour ended. */
    ends: (now: number) => ends.slice(firstWithin(HOUR_MS, now)),

    /**
     * The earliest time at which the `n`-th further call may begin; `now` when it may at once.
     *
     * An example: three calls a minute, and calls that ended at 0:10 and 0:20 and one under way; now it is 0:40. The
     * first further call has to wait until the end at 0:10 is more than a minute old: one must expire, so it opens at
     * 1:10 (and 1 ms). The second needs two to expire: 1:20. The third needs the call under way to expire as well,
     * which ends now at the earliest: 1:40. The fourth goes one round later than the first, whose slot it takes: 2:10.
     */
    opensAt({ minute, hour }: Windows, n: number, now: number): number {
      const times = [minute, hour].map(({ ms, limit }) => {
        // A call beyond the limit follows, one window later, the call that is `limit` places ahead of it.
        const rounds = Math.floor((n - 1) / limit)
        const first = firstWithin(ms, now)
        const mustExpire = ends.length - first + underWay + (n - rounds * limit) - limit
        if (mustExpire <= 0) return now + rounds * (ms + 1)
        // What is under way ends now at the earliest.
        return (ends[first + mustExpire - 1] ?? now) + (rounds + 1) * (ms + 1)
      })
      return Math.max(now, ...times)
    },
  }
}
