import { backOffMs, HOUR_MS, MINUTE_MS } from '../domain/durations.ts'
import type { BudgetValue, Place, Standing } from './budget.ts'
import { LANES, type Lane } from './endpoints.ts'

/** What a key may spend. All that follows is in proportion to it. */
export type Limits = { perMinute: number; perHour: number }

/** Who is silent for so long has died: its places in line are given up. */
export const SILENCE_MS = 5_000
/** No call takes longer; one that a crash cut short counts as if it had taken so long. */
const LONGEST_CALL_MS = 20_000
/** Background calls start only while fewer than this share of a window is used: 49 of 100, 2,940 of 3,000. */
const BACKGROUND_SHARE = { minute: 0.49, hour: 0.98 }
/** What background calls get even when participants wait: 5 of 100 a minute, each after a wait of 12 s. */
const BACKGROUND_FLOOR = 0.05
/** Anybody can make up links: what opens the unclaimed never takes more than this share of a window. */
export const VISITS_SHARE = 0.3
export const UNCLAIMED = 1
/** After one 429 and the next, where the service names no time; and how long the minute is halved after them. */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000]
const HALVED_MS = 120_000
/** How many places in line an account has. */
export const PLACES_OF_ACCOUNT = 3

/**
 * All that a replica has to say. It says everything of its own every time: what was lost between it and the store, in
 * either direction, or by a store that was put back, is found missing, or too much, by the next turn.
 */
export type ReplicaReport = {
  replica: string
  waiting: readonly Standing[]
  /** How many more of it wait for a place in line. */
  more: Record<Lane, number>
  /** The calls that it makes, and when those of the last hour ended. */
  calls: readonly string[]
  ended: number[]
  /** The 429s since its last turn, each with what the service said of it. */
  pauses: readonly (number | undefined)[]
}

/**
 * The rules of the budget, once for both stores: pure but for the value that they are given to change. Whoever has a
 * turn grants what is open, to whomever; the others find theirs at their next turn. Returns after how many milliseconds
 * the first of this replica is due, so that of several replicas that wait each asks in its own time; never is `Infinity`.
 */
export function takeTurn(limits: Limits, value: BudgetValue, report: ReplicaReport, t: number): number {
  countCalls(value, report, t)
  keepLine(value, report, t)
  for (const retryAfterMs of report.pauses) pause(value, retryAfterMs, t)
  const reckoned = reckon(limits, value, t)
  grantOpen(value, reckoned, t)
  return nextMs(value, reckoned, report)
}

/** A call counts from its end and, while it is made, all the time; of a dead replica, from when it must have ended. */
function countCalls(value: BudgetValue, { replica, waiting, calls, ended }: ReplicaReport, t: number): void {
  const isCounted = (at: number) => at >= t - HOUR_MS
  value.visits = value.visits.filter(isCounted)
  value.ended[replica] = ended
  for (const [name, times] of Object.entries(value.ended)) {
    value.ended[name] = times.filter(isCounted)
    if (value.ended[name].length === 0) delete value.ended[name]
  }
  for (const [id, until] of Object.entries(value.underWay)) {
    // It was granted by another, and begins now.
    if (until > t && waiting.some((one) => one.id === id)) value.underWay[id] = t + LONGEST_CALL_MS
    // It has ended, no call was made with it, or it is forgotten.
    else if (replicaOf(id) === replica ? !calls.includes(id) : !isCounted(until)) delete value.underWay[id]
  }
  for (const id of calls) value.underWay[id] = Math.max(value.underWay[id] ?? 0, t + LONGEST_CALL_MS / 2)
}

/** The replica that a call is made by. */
const replicaOf = (id: string): string => id.slice(0, id.indexOf('.'))

/** Lets in who comes and out who leaves, of this replica and of those that have died: also who has come in for these. */
function keepLine(value: BudgetValue, { replica, waiting, more }: ReplicaReport, t: number): void {
  if (waiting.length > 0) value.replicas[replica] = { at: t, more }
  else delete value.replicas[replica]
  for (const [other, { at }] of Object.entries(value.replicas))
    if (at < t - SILENCE_MS) delete value.replicas[other]
  const own = new Set(waiting.map(({ id }) => id))
  const isGone = ({ id }: Standing) =>
    replicaOf(id) === replica ? !own.has(id) : !(replicaOf(id) in value.replicas)
  for (let one = value.waiting.find(isGone); one; one = value.waiting.find(isGone)) leave(value, one, t)
  // Who is there already, or has a slot, stays what they are.
  const known = new Set([...Object.keys(value.underWay), ...value.waiting.map(({ id }) => id)])
  for (const one of waiting) if (!known.has(one.id)) enter(value, one, t)
}

/**
 * Who waits in a lane: those who are under way before what nobody has claimed, then by the time since when they wait.
 * An account has three places in all; its further calls wait outside, and whichever waits the longest goes to the end
 * of its lane when one of the three is left.
 */
const laneOf = (value: BudgetValue, lane: Lane): Standing[] =>
  value.waiting.filter((one) => one.lane === lane && !one.isOut).sort(inOrder)

const inOrder = (one: Standing, other: Standing) => one.rank - other.rank || one.since - other.since
const isOfAccount = (one: Standing, account: string) => account !== '' && one.account === account

function enter(value: BudgetValue, came: Standing, t: number): void {
  const places = value.waiting.filter((one) => !one.isOut && isOfAccount(one, came.account)).length
  value.waiting.push({ ...came, since: Math.min(came.since, t), isOut: places >= PLACES_OF_ACCOUNT })
}

function leave(value: BudgetValue, left: Standing, t: number): void {
  value.waiting = value.waiting.filter((one) => one !== left)
  const outside = value.waiting.filter((one) => one.isOut && isOfAccount(one, left.account)).sort(inOrder)
  const [next] = left.isOut ? [] : outside
  if (!next) return
  value.waiting = [...value.waiting.filter((one) => one !== next), { ...next, since: t, isOut: false }]
}

/** The service has answered 429. */
function pause(value: BudgetValue, retryAfterMs: number | undefined, t: number): void {
  if (t > value.halvedUntil) value.pauses = 0
  const isPaused = t < value.pausedUntil
  // Calls that were under way together are refused together: that is one reason to pause, not many.
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
    // What waits for the share of the unclaimed holds up nobody else.
    const head = participant && heldUntil(participant, 1) > t ? undefined : participant
    // While participants wait, only the floor can move the background lane.
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

/** When who waits may begin, as things stand. */
function reckon(limits: Limits, value: BudgetValue, t: number) {
  const times = timesAt(value)
  const windows = windowsAt(limits, value, t)
  const floor = limits.perMinute * BACKGROUND_FLOOR
  const floorCalls = atLeastOne(floor)
  /** When the background lane is owed a slot whatever the participants do. */
  const owedAt = ({ since }: Standing): number => {
    const [earliest] = value.floor.slice(-floorCalls)
    const isFull = value.floor.length >= floorCalls && earliest !== undefined
    const spacingMs = MINUTE_MS / floor
    return Math.max(since + spacingMs, isFull ? earliest + floorCalls * spacingMs : 0)
  }
  /** Until when the share of the unclaimed is used up for the `n`-th of its lane. */
  const heldUntil = ({ rank }: Standing, n: number): number => {
    if (rank !== UNCLAIMED) return t
    const claimed = laneOf(value, 'participant').filter((one) => one.rank !== UNCLAIMED).length
    return opensBy(value.visits, windows.visits, Math.max(1, n - claimed), t)
  }
  /**
   * When the `n`-th of its lane may have its slot, at the earliest, with so many of the other lane before it.
   *
   * An example with 100 a minute: 49 calls of participants ended at 12:00:00, and at 12:00:10 a background call has
   * waited for 5 s. A participant's would begin at once, as the 50th of 100. Background calls begin while fewer than 49
   * are used, so at its own pace this one begins when those are a minute old, at 12:01:00; but the floor owes it a slot
   * after 12 s of waiting, at 12:00:17. The earlier of the two counts. Had all 100 been used, the floor would have to
   * wait for room as well, until 12:01:00.
   */
  const opensAt = (one: Standing, n: number, ahead = 0): number => {
    const paced = opensBy(times, windows[one.lane], n + ahead, t)
    const isFloors = one.lane === 'background' && n === 1
    const byFloor = () => Math.max(opensBy(times, windows.participant, 1, t), owedAt(one))
    const opens = isFloors ? Math.min(paced, byFloor()) : paced
    return Math.max(opens, heldUntil(one, n), value.pausedUntil)
  }
  /** Who waits outside comes after the last, and participants stand before all of the background. */
  const placeOf = (one: Standing): Place => {
    const index = laneOf(value, one.lane).findIndex(({ id }) => id === one.id)
    const n = 1 + (index < 0 ? lengthOf(value, one.lane) : index)
    const ahead = one.lane === 'background' ? lengthOf(value, 'participant') : 0
    return { place: n + ahead, etaMs: Math.ceil(opensAt(one, n, ahead) - t) }
  }
  return { times, windows, floorCalls, owedAt, heldUntil, opensAt, placeOf }
}
type Reckoned = ReturnType<typeof reckon>

/** How many calls of each lane fit into a minute and an hour, as things stand. */
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

/** All calls that count; those under way stand behind all others, with the time when they must have ended. */
function timesAt({ ended, underWay }: BudgetValue): number[] {
  // `flat` takes a hundred times as long.
  const all = ([] as number[]).concat(...Object.values(ended), Object.values(underWay))
  return all.sort((one, other) => one - other)
}

/** The place of the first time that is not before this one. */
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

/** How many wait in a lane, with those who have no place in line yet. */
const lengthOf = (value: BudgetValue, lane: Lane): number =>
  Object.values(value.replicas).reduce((sum, { more }) => sum + more[lane], laneOf(value, lane).length)

/** Where a call stands, counted from 1, and about how long it waits. */
export const placeOf = (limits: Limits, value: BudgetValue, one: Standing, t: number): Place =>
  reckon(limits, value, t).placeOf(one)

/** After how many milliseconds the first of a replica is due; others of it come into line where none is left. */
function nextMs(value: BudgetValue, { placeOf }: Reckoned, { replica, more }: ReplicaReport): number {
  const dueMs = LANES.map((lane) => {
    const own = value.waiting.filter((one) => one.lane === lane && replicaOf(one.id) === replica)
    const [first] = own.filter(({ isOut }) => !isOut).sort(inOrder)
    if (first) return placeOf(first).etaMs
    return own.length === 0 && more[lane] > 0 ? 0 : Number.POSITIVE_INFINITY
  })
  return Math.min(...dueMs)
}

/** What counts in both windows, who waits, and how long nobody may begin. */
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
