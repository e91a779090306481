import type { Lane } from './endpoints.ts'

/**
 * The API budget of one key: so many calls a minute and an hour (spec, "Limits"), spent by two lanes. Participants
 * come first; background calls use what is left, with a small floor so that they never starve.
 * A slot counts from the *end* of its call, so that no latency can put one call too many into a minute at the service.
 */
export interface Budget {
  /**
   * Waits for a slot as long as it takes, first come first served within the lane. Rejects with a `ServiceError`:
   * `no_slot` once the budget is closed, `too_late` after the deadline; and with the signal's reason when it is aborted.
   */
  acquire(lane: Lane, options?: AcquireOptions): Promise<Slot>
  /** After a 429: nobody gets a slot for so long (without it 1, 2, 4 … 60 s), and less of the budget is used for a while. */
  pause(retryAfterMs?: number): Promise<void>
  /** Refuses everyone who waits and everyone who comes later; calls under way still give their slots back. */
  close(): Promise<void>
}

/** A budget that can be looked at, for metrics. */
export interface WatchedBudget extends Budget {
  usage(): Promise<BudgetUsage>
}

/** Calls that count in each window, those under way too; who waits; how long nobody may begin after a 429. */
export type BudgetUsage = {
  minute: { used: number; limit: number }
  hour: { used: number; limit: number }
  waiting: Record<Lane, number>
  pausedMs: number
}

export type AcquireOptions = {
  signal?: AbortSignal | undefined
  /** Told when the call has to wait, and again whenever that has changed much. */
  onQueued?: ((place: Place) => void) | undefined
  /** From this time on (milliseconds since 1970) the call is worth nothing. */
  deadline?: number | undefined
  /** Since when it waits: what waited before a restart goes before what came later. The default is now. */
  since?: number | undefined
  /** For whom, as a keyed hash: one account has at most three places in line, its further calls wait for them. */
  account?: string | undefined
  /** What nobody has claimed yet (a stranger may have made the link up) goes behind those who are under way. */
  rank?: 'underWay' | 'unclaimed' | undefined
}

/** `place` counts from 1; `etaMs` is an estimate, 0 when a slot is free. */
export type Place = { place: number; etaMs: number }

/** Exactly one of the two is called, once; neither rejects. */
export type Slot = {
  /** The call has ended, well or badly: it counts from now. */
  release(): Promise<void>
  /** No call was made: the slot goes back unused. */
  cancel(): Promise<void>
}
