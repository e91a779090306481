import { backOffMs, HOUR_MS, MINUTE_MS } from '../domain/durations.ts'
import type { BudgetValue, PlaceInLine, QueuedCall } from './budget.ts'
import { LANES, type Lane } from './endpoints.ts'

/** The limits of a key. All other numbers are proportional to them. */
export type Limits = { perMinute: number; perHour: number }

/** A replica that is silent for this long is dead, and its queued calls are released. */
export const SILENCE_MS = 5_000
/** No call takes longer. A call that a crash cut short counts as this long. */
const LONGEST_CALL_MS = 20_000
/** Background calls start only while fewer than this share of a window is used: 49 of 100, 2,940 of 3,000. */
const BACKGROUND_SHARE = { minute: 0.49, hour: 0.98 }
/** The share of background calls even when participants wait: 5 of 100 a minute, one every 12 s. */
const BACKGROUND_FLOOR = 0.05
/** The most that calls for unclaimed records may use of a window, because anyone can invent links. */
export const VISITS_SHARE = 0.3
export const UNCLAIMED = 1
/** Pauses after successive 429s without Retry-After; how long the minute's limit is then halved. */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000]
const HALVED_MS = 120_000
/** How many queued calls an account may have. */
export const PLACES_OF_ACCOUNT = 3

/**
 * The full state of a replica. It is complete in every report: if a report, its reply or the store's value
 * was lost, the next turn repairs the value.
 */
export type ReplicaReport = {
  replica: string
  waiting: readonly QueuedCall[]
  /** How many more of its calls wait outside of the queue. */
  more: Record<Lane, number>
  /** Its running calls, and when those of the last hour ended. */
  calls: readonly string[]
  ended: number[]
  /** The 429s since its last turn, each with its Retry-After. */
  pauses: readonly (number | undefined)[]
}

/**
 * The rules of the budget, shared by both stores. Pure, except that they change the given value. Each turn of
 * a replica grants all open slots, to calls of any replica; the others find theirs at their next turn.
 * Returns the delay in milliseconds until the first call of this replica is due, so that replicas take their
 * turns at different times; `Infinity` means never.
 */
export function takeTurn(limits: Limits, value: BudgetValue, report: ReplicaReport, t: number): number {
  countCalls(value, report, t)
  keepLine(value, report, t)
  for (const retryAfterMs of report.pauses) pause(value, retryAfterMs, t)
  const reckoned = reckon(limits, value, t)
  grantOpen(value, reckoned, t)
  return nextMs(value, reckoned, report)
}

/** Counts running calls all the time, and others from their end (at the latest, for a dead replica). */
function countCalls(value: BudgetValue, { replica, waiting, calls, ended }: ReplicaReport, t: number): void {
  const isCounted = (at: number) => at >= t - HOUR_MS
  value.visits = value.visits.filter(isCounted)
  value.ended[replica] = ended
  for (const [name, times] of Object.entries(value.ended)) {
    value.ended[name] = times.filter(isCounted)
    if (value.ended[name].length === 0) delete value.ended[name]
  }
  for (const [id, until] of Object.entries(value.underWay)) {
    // Another replica granted it, and it begins now.
    if (until > t && waiting.some((one) => one.id === id)) value.underWay[id] = t + LONGEST_CALL_MS
    // It has ended, or was never made, or its replica is long dead.
    else if (replicaOf(id) === replica ? !calls.includes(id) : !isCounted(until)) delete value.underWay[id]
  }
  for (const id of calls) value.underWay[id] = Math.max(value.underWay[id] ?? 0, t + LONGEST_CALL_MS / 2)
}

const replicaOf = (id: string): string => id.slice(0, id.indexOf('.'))

/** Queues new calls of this replica, and removes calls that left: its own, and those of dead replicas. */
function keepLine(value: BudgetValue, { replica, waiting, more }: ReplicaReport, t: number): void {
  if (waiting.length > 0) value.replicas[replica] = { at: t, more }
  else delete value.replicas[replica]
  for (const [other, { at }] of Object.entries(value.replicas))
    if (at < t - SILENCE_MS) delete value.replicas[other]
  const own = new Set(waiting.map(({ id }) => id))
  const isGone = ({ id }: QueuedCall) =>
    replicaOf(id) === replica ? !own.has(id) : !(replicaOf(id) in value.replicas)
  for (let one = value.waiting.find(isGone); one; one = value.waiting.find(isGone)) leave(value, one, t)
  // Calls that are queued or have a slot stay as they are.
  const known = new Set([...Object.keys(value.underWay), ...value.waiting.map(({ id }) => id)])
  for (const one of waiting) if (!known.has(one.id)) enter(value, one, t)
}

/**
 * The queue of a lane, by waiting time; calls for unclaimed records come last. An account has three places in
 * all. Its further calls wait outside; when one of its calls leaves, the oldest of them goes to the end of
 * the queue.
 */
const laneOf = (value: BudgetValue, lane: Lane): QueuedCall[] =>
  value.waiting.filter((one) => one.lane === lane && !one.isOut).sort(inOrder)

const inOrder = (one: QueuedCall, other: QueuedCall) => one.rank - other.rank || one.since - other.since
const isOfAccount = (one: QueuedCall, account: string) => account !== '' && one.account === account

function enter(value: BudgetValue, came: QueuedCall, t: number): void {
  const places = value.waiting.filter((one) => !one.isOut && isOfAccount(one, came.account)).length
  value.waiting.push({ ...came, since: Math.min(came.since, t), isOut: places >= PLACES_OF_ACCOUNT })
}

function leave(value: BudgetValue, left: QueuedCall, t: number): void {
  value.waiting = value.waiting.filter((one) => one !== left)
  const outside = value.waiting.filter((one) => one.isOut && isOfAccount(one, left.account)).sort(inOrder)
  const [next] = left.isOut ? [] : outside
  if (!next) return
  value.waiting = [...value.waiting.filter((one) => one !== next), { ...next, since: t, isOut: false }]
}

/** The service answered 429. */
function pause(value: BudgetValue, retryAfterMs: number | undefined, t: number): void {
  if (t > value.halvedUntil) value.pauses = 0
  const isPaused = t < value.pausedUntil
  // Calls that ran together are refused together: pause once, not for each.
  if (isPaused && retryAfterMs === undefined) return
  const stepMs = backOffMs(PAUSES_MS, value.pauses + 1)
  if (!isPaused) value.pauses += 1
  value.pausedUntil = Math.max(value.pausedUntil, t + Math.min(retryAfterMs ?? stepMs, HOUR_MS))
  value.halvedUntil = value.pausedUntil + HALVED_MS
}

function grantOpen(
  value: BudgetValue,
  { times, heldUntil, owedAt, opensAt, floorCalls }: Reckoned,
  t: number,
) {
  for (;;) {
    const [participant] = laneOf(value, 'participant')
    const [background] = laneOf(value, 'background')
    // A call that waits for the share of unclaimed records delays no background call.
    const head = participant && heldUntil(participant, 1) > t ? undefined : participant
    // While participants wait, only the floor moves the background lane.
    const owed = background && (!head || owedAt(background) <= t) ? background : undefined
    const next = [owed, head].find((one) => one && opensAt(one, 1) <= t)
    if (!next) return
    leave(value, next, t)
    value.underWay[next.id] = t + LONGEST_CALL_MS
    times.push(t + LONGEST_CALL_MS)
    if (next.rank === UNCLAIMED) value.visits.push(t)
    if (next.lane === 'background') value.floor = [...value.floor, t].slice(-floorCalls)
  }
}

/** Computes when queued calls may begin. */
function reckon(limits: Limits, value: BudgetValue, t: number) {
  const times = timesAt(value)
  const windows = windowsAt(limits, value, t)
  const floor = limits.perMinute * BACKGROUND_FLOOR
  const floorCalls = atLeastOne(floor)
  /** When the background lane is due a slot regardless of participants. */
  const owedAt = ({ since }: QueuedCall): number => {
    const [earliest] = value.floor.slice(-floorCalls)
    const isFull = value.floor.length >= floorCalls && earliest !== undefined
    const spacingMs = MINUTE_MS / floor
    return Math.max(since + spacingMs, isFull ? earliest + floorCalls * spacingMs : 0)
  }
  /** Until when the share of unclaimed records is used up for the `n`-th call of its lane. */
  const heldUntil = ({ rank }: QueuedCall, n: number): number => {
    if (rank !== UNCLAIMED) return t
    const claimed = laneOf(value, 'participant').filter((one) => one.rank !== UNCLAIMED).length
    return opensBy(value.visits, windows.visits, Math.max(1, n - claimed), t)
  }
  /**
   * The earliest time at which the `n`-th call of its lane may start, with `ahead` calls of the other lane
   * before it.
   *
   * An example with 100 a minute: 49 calls of participants ended at 12:00:00. At 12:00:10 a background call
   * has waited for 5 s. A participant's call would start at once, as the 50th of 100. Background calls start
   * while fewer than 49 are used, so at its normal pace this one starts when those 49 are a minute old, at
   * 12:01:00. But the floor owes it a slot after 12 s of waiting, at 12:00:17. The earlier time counts. If
   * all 100 were used, the floor would also have to wait for room, until 12:01:00.
   */
  const opensAt = (one: QueuedCall, n: number, ahead = 0): number => {
    const paced = opensBy(times, windows[one.lane], n + ahead, t)
    const isFloors = one.lane === 'background' && n === 1
    const byFloor = () => Math.max(opensBy(times, windows.participant, 1, t), owedAt(one))
    const opens = isFloors ? Math.min(paced, byFloor()) : paced
    return Math.max(opens, heldUntil(one, n), value.pausedUntil)
  }
  /** Calls outside of the queue come last, and participants come before all background calls. */
  const placeOf = (one: QueuedCall): PlaceInLine => {
    const index = laneOf(value, one.lane).findIndex(({ id }) => id === one.id)
    const n = 1 + (index < 0 ? lengthOf(value, one.lane) : index)
    const ahead = one.lane === 'background' ? lengthOf(value, 'participant') : 0
    return { place: n + ahead, etaMs: Math.ceil(opensAt(one, n, ahead) - t) }
  }
  return { times, windows, floorCalls, owedAt, heldUntil, opensAt, placeOf }
}
type Reckoned = ReturnType<typeof reckon>

/** How many calls of each lane fit into a minute and an hour now. */
function windowsAt({ perMinute, perHour }: Limits, { halvedUntil }: BudgetValue, t: number) {
  const minute = t < halvedUntil ? atLeastOne(perMinute / 2) : perMinute
  const within = (ofMinute: number, ofHour: number) => ({
    minute: { ms: MINUTE_MS, limit: atLeastOne(ofMinute) },
    hour: { ms: HOUR_MS, limit: atLeastOne(ofHour) },
  })
  const background = within(minute * BACKGROUND_SHARE.minute, perHour * BACKGROUND_SHARE.hour)
  const visits = within(minute * VISITS_SHARE, perHour * VISITS_SHARE)
  return { participant: within(minute, perHour), background, visits }
}
type Windows = ReturnType<typeof windowsAt>[Lane]

const atLeastOne = (calls: number): number => Math.max(1, Math.floor(calls))

/** The times of all counted calls, sorted. A running call has the time at which it must have ended. */
function timesAt({ ended, underWay }: BudgetValue): number[] {
  // `flat` takes a hundred times as long.
  const all = ([] as number[]).concat(...Object.values(ended), Object.values(underWay))
  return all.sort((one, other) => one - other)
}

/** The index of the first time at or after `from`. */
function firstFrom(times: readonly number[], from: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? from) >= from) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * The earliest time at which the `n`-th further call may start; `t` if at once.
 *
 * An example: three calls a minute, and calls that ended at 0:10 and 0:20 and one running; now it is 0:40.
 * The first further call waits until the end at 0:10 is more than a minute old: one must expire, so it opens
 * at 1:10 (and 1 ms). The second needs two to expire: 1:20. The third also needs the running call to expire,
 * which ends now at the earliest: 1:40. The fourth comes one round after the first, whose slot it takes:
 * 2:10.
 */
function opensBy(times: readonly number[], { minute, hour }: Windows, n: number, t: number): number {
  const opens = [minute, hour].map(({ ms, limit }) => {
    // A call beyond the limit follows, one window later, the call that is `limit` places before it.
    const rounds = Math.floor((n - 1) / limit)
    const first = firstFrom(times, t - ms)
    const mustExpire = times.length - first + (n - rounds * limit) - limit
    if (mustExpire <= 0) return t + rounds * (ms + 1)
    // A running call ends now at the earliest.
    return Math.min(times[first + mustExpire - 1] ?? t, t) + (rounds + 1) * (ms + 1)
  })
  return Math.max(t, ...opens)
}

/** The number of waiting calls of a lane, including those outside of the queue. */
const lengthOf = (value: BudgetValue, lane: Lane): number =>
  Object.values(value.replicas).reduce((sum, { more }) => sum + more[lane], laneOf(value, lane).length)

/** The place of a call, counted from 1, and its estimated wait. */
export const placeOf = (limits: Limits, value: BudgetValue, one: QueuedCall, t: number): PlaceInLine =>
  reckon(limits, value, t).placeOf(one)

/** Milliseconds until the first call of a replica is due; 0 if its calls can enter the queue now. */
function nextMs(value: BudgetValue, { placeOf }: Reckoned, { replica, more }: ReplicaReport): number {
  const dueMs = LANES.map((lane) => {
    const own = value.waiting.filter((one) => one.lane === lane && replicaOf(one.id) === replica)
    const [first] = own.filter(({ isOut }) => !isOut).sort(inOrder)
    if (first) return placeOf(first).etaMs
    return own.length === 0 && more[lane] > 0 ? 0 : Number.POSITIVE_INFINITY
  })
  return Math.min(...dueMs)
}

/** The counted calls of both windows, the waiting calls, and how long a pause lasts. */
export function usageOf(limits: Limits, value: BudgetValue, t: number) {
  const { times, windows } = reckon(limits, value, t)
  const { minute, hour } = windows.participant
  const inWindow = ({ ms, limit }: typeof hour) => ({
    used: times.length - firstFrom(times, t - ms),
    limit,
  })
  const waiting = { participant: lengthOf(value, 'participant'), background: lengthOf(value, 'background') }
  const pausedMs = Math.max(0, value.pausedUntil - t)
  return { minute: inWindow(minute), hour: inWindow(hour), waiting, pausedMs }
}
