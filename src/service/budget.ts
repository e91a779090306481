import { z } from 'zod'
import { LANES, type Lane } from './endpoints.ts'

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
  /** Calls that count in each window, those under way too; who waits; how long nobody may begin after a 429. */
  usage(): Promise<{ minute: Used; hour: Used; waiting: Record<Lane, number>; pausedMs: number }>
}
type Used = { used: number; limit: number }

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

const standing = z.object({
  /** `<replica>.<number>`. */
  id: z.string(),
  lane: z.enum(LANES),
  /** 0 for what is under way, 1 for what nobody has claimed. */
  rank: z.number(),
  account: z.string(),
  since: z.number(),
  /** It waits for one of its account's three places. */
  isOut: z.boolean().optional(),
})
export type Standing = z.infer<typeof standing>

/** What the replicas of a key share: one value of the store. All times are those of the store's clock. */
const budgetValue = z.object({
  /** When the calls of each replica ended; thousands of them are read at every turn, so they are kept as bytes. */
  ended: z
    .record(z.string(), z.object({ first: z.number(), since: z.string() }).transform(timesOf))
    .default({}),
  /** Each call whose end nobody has told yet, and when it must have ended. */
  underWay: z.record(z.string(), z.number()).default({}),
  /** Who comes in the same millisecond stands behind. */
  waiting: z.array(standing).default([]),
  /** When the last background calls began, as many as the floor holds. */
  floor: z.array(z.number()).default([]),
  /** When the calls of the last hour began that open what nobody has claimed. */
  visits: z.array(z.number()).default([]),
  /** When each replica of those who wait was heard of, and how many more of it wait for a place in line. */
  replicas: z
    .record(z.string(), z.object({ at: z.number(), more: z.record(z.enum(LANES), z.number()) }))
    .default({}),
  /** What a 429 left behind. */
  pausedUntil: z.number().default(0),
  halvedUntil: z.number().default(0),
  pauses: z.number().default(0),
})
export type BudgetValue = z.infer<typeof budgetValue>

/** Reads the value; what is absent or cannot be read has no past. */
export function readBudgetValue(bytes: Buffer | undefined): BudgetValue {
  try {
    return budgetValue.parse(JSON.parse(String(bytes)))
  } catch {
    return budgetValue.parse({})
  }
}

export function budgetBytes(value: BudgetValue): Buffer {
  const ended = Object.entries(value.ended).map(([replica, times]) => [replica, bytesOf(times)])
  return Buffer.from(JSON.stringify({ ...value, ended: Object.fromEntries(ended) }))
}

/** The first time, and how many milliseconds after it each of them was. */
function bytesOf(times: readonly number[]): { first: number; since: string } {
  const [first = 0] = times
  const since = Int32Array.from(times, (at) => at - first)
  return { first, since: Buffer.from(since.buffer).toString('base64') }
}

function timesOf({ first, since }: { first: number; since: string }): number[] {
  const { buffer } = new Uint8Array(Buffer.from(since, 'base64'))
  return Array.from(new Int32Array(buffer), (after) => first + after)
}
