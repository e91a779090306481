import { z } from 'zod'
import { LANES, type Lane } from './endpoints.ts'

/**
 * The API budget of one key: calls per minute and per hour (spec, "Limits"), shared by two lanes.
 * Participants come first. Background calls use the rest, with a small floor so that they never starve. A
 * slot counts from the *end* of its call, so that no latency can put too many calls into one minute at the
 * service.
 */
export interface Budget {
  /**
   * Waits for a slot without a limit, first come first served within the lane. Rejects with a `ServiceError`:
   * `no_slot` after `close`, `too_late` after the deadline; and with the signal's reason when aborted.
   */
  acquire(lane: Lane, options?: AcquireOptions): Promise<Slot>
  /** After a 429: grants no slot for a time (default 1, 2, 4 … 60 s), then lowers the limits for a while. */
  pause(retryAfterMs?: number): Promise<void>
  /** Refuses all waiting and later calls; running calls still return their slots. */
  close(): Promise<void>
}

/** A budget that shows its state, for metrics. */
export interface WatchedBudget extends Budget {
  /** Counted calls of each window, also running ones; waiting calls; the rest of a pause after a 429. */
  usage(): Promise<{ minute: Used; hour: Used; waiting: Record<Lane, number>; pausedMs: number }>
}
type Used = { used: number; limit: number }

export type AcquireOptions = {
  signal?: AbortSignal | undefined
  /** Called when the call has to wait, and again when its place has changed much. */
  onQueued?: ((place: PlaceInLine) => void) | undefined
  /** From this time on (milliseconds since 1970) the call is useless. */
  deadline?: number | undefined
  /** Since when it waits: calls from before a restart come before later ones. The default is now. */
  since?: number | undefined
  /** The account's keyed hash: an account has at most three queued calls, its further calls wait outside. */
  account?: string | undefined
  /** Calls for unclaimed records (a stranger may have invented the link) come after all others. */
  rank?: 'underWay' | 'unclaimed' | undefined
}

/** `place` counts from 1; `etaMs` is an estimate, 0 when a slot is free. */
export type PlaceInLine = { place: number; etaMs: number }

/** Exactly one of the two is called, once; neither rejects. */
export type Slot = {
  /** The call has ended, successfully or not: it counts from now. */
  release(): Promise<void>
  /** No call was made: the slot goes back unused. */
  cancel(): Promise<void>
}

const queuedCall = z.object({
  /** `<replica>.<number>`. */
  id: z.string(),
  lane: z.enum(LANES),
  /** 1 for calls for unclaimed records, else 0. */
  rank: z.number(),
  account: z.string(),
  since: z.number(),
  /** It waits outside for one of its account's three places. */
  isOut: z.boolean().optional(),
})
export type QueuedCall = z.infer<typeof queuedCall>

/** The value that all replicas of a key share. All times are of the store's clock. */
const budgetValue = z.object({
  /** When the calls of each replica ended; stored as bytes, because each turn reads thousands of them. */
  ended: z
    .record(z.string(), z.object({ first: z.number(), since: z.string() }).transform(timesOf))
    .default({}),
  /** Each call without a reported end, and when it must have ended. */
  underWay: z.record(z.string(), z.number()).default({}),
  /** Calls of the same millisecond keep their order. */
  waiting: z.array(queuedCall).default([]),
  /** Starts of the last background calls, as many as the floor holds. */
  floor: z.array(z.number()).default([]),
  /** Starts of the last hour's calls for unclaimed records. */
  visits: z.array(z.number()).default([]),
  /** For each replica with waiting calls: its last report, and how many of its calls wait outside. */
  replicas: z
    .record(z.string(), z.object({ at: z.number(), more: z.record(z.enum(LANES), z.number()) }))
    .default({}),
  /** The state after a 429. */
  pausedUntil: z.number().default(0),
  halvedUntil: z.number().default(0),
  pauses: z.number().default(0),
})
export type BudgetValue = z.infer<typeof budgetValue>

/** Reads the value; an absent or unreadable one is empty. */
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

/** The first time, and the milliseconds from it to each time. */
function bytesOf(times: readonly number[]): { first: number; since: string } {
  const [first = 0] = times
  const since = new Int32Array(times.map((at) => at - first))
  return { first, since: Buffer.from(since.buffer).toString('base64') }
}

function timesOf({ first, since }: { first: number; since: string }): number[] {
  const { buffer } = new Uint8Array(Buffer.from(since, 'base64'))
  const times: number[] = []
  // `Array.from` with a function takes more than twice as long, and each turn reads thousands.
  for (const after of new Int32Array(buffer)) times.push(first + after)
  return times
}
