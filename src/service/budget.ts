import { HOUR_MS } from '../domain/durations.ts'
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
  rank?: Rank | undefined
}

/** What nobody has claimed yet (a stranger may have made the link up) goes behind those who are under way. */
export type Rank = 'underWay' | 'unclaimed'

/** `place` counts from 1; `etaMs` is an estimate, 0 when a slot is free. */
export type Place = { place: number; etaMs: number }

/** Exactly one of the two is called, once; neither rejects. */
export type Slot = {
  /** The call has ended, well or badly: it counts from now. */
  release(): Promise<void>
  /** No call was made: the slot goes back unused. */
  cancel(): Promise<void>
}

export const MINUTE_MS = 60_000
/** No call takes longer; one that a crash cut short counts as if it had taken so long. */
export const LONGEST_CALL_MS = 20_000
/** A limit that is counted over a sliding window. */
type Window = { ms: number; limit: number }
/** What a call has to fit into. */
export type Windows = { minute: Window; hour: Window }

/** How the budget is shared out, in proportion to the configured limits. */
export const budgetRules = {
  /** Background calls start only while fewer than this share of a window is used: 49 of 100, 2,940 of 3,000. */
  backgroundShareOfMinute: 0.49,
  backgroundShareOfHour: 0.98,
  /** What background calls get even when participants wait: 5 of 100 a minute, each after a wait of 12 s. */
  backgroundFloor: 0.05,
  /** After one 429 and the next, where the service names no time. */
  pauseStepsMs: [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000],
  halvedForMs: 120_000,
  placesOfAccount: 3,
  /** How many of a replica stand in line at most, in each lane; the others of it wait for their places. */
  placesOfReplica: 50,
  /** How often those who wait are looked at whether their place has changed much. */
  newsEveryMs: 5_000,
  /** That much of the place or of the estimate, and of the estimate at least so much, is worth telling. */
  muchOfEstimate: { share: 0.5, leastMs: 15_000 },
} as const

/** What the configured limits of a key come to. */
export type Limits = {
  whole: Readonly<Record<Lane, Windows>>
  /** For a while after a 429. */
  halved: Readonly<Record<Lane, Windows>>
  /** So many background calls, so far apart, whatever participants do. */
  floor: { calls: number; spacingMs: number }
}

/** Shares a key's limits out. */
export function limitsOf({ perMinute, perHour }: { perMinute: number; perHour: number }): Limits {
  const { backgroundFloor } = budgetRules
  return {
    whole: windowsOf(perMinute, perHour),
    halved: windowsOf(atLeastOne(perMinute / 2), perHour),
    floor: {
      calls: atLeastOne(perMinute * backgroundFloor),
      spacingMs: MINUTE_MS / (perMinute * backgroundFloor),
    },
  }
}

function windowsOf(perMinute: number, perHour: number): Record<Lane, Windows> {
  const { backgroundShareOfMinute, backgroundShareOfHour } = budgetRules
  const within = (minute: number, hour: number): Windows => ({
    minute: { ms: MINUTE_MS, limit: minute },
    hour: { ms: HOUR_MS, limit: hour },
  })
  return {
    participant: within(perMinute, perHour),
    background: within(
      atLeastOne(perMinute * backgroundShareOfMinute),
      atLeastOne(perHour * backgroundShareOfHour),
    ),
  }
}

const atLeastOne = (calls: number): number => Math.max(1, Math.floor(calls))
