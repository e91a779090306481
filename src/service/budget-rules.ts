import { HOUR_MS } from '../domain/durations.ts'
import { type BudgetUsage, type Limits, LONGEST_CALL_MS, type Place } from './budget.ts'
import { type BudgetValue, replicaOf, type Standing } from './budget-value.ts'
import type { Lane } from './endpoints.ts'
import { lineAt } from './line.ts'
import { paceAt, pause } from './pace.ts'

/** Who is silent for so long has died: its places in line are given up. */
export const SILENCE_MS = 5_000
/** A replica that was heard of since then need not say again that it lives. */
const HEARD_MS = 2_000

/**
 * All that a replica has to say. It says everything of its own every time: what was lost between it and the store, in
 * either direction, is found missing, or too much, by the next turn.
 */
export type Said = {
  replica: string
  waiting: readonly Standing[]
  /** How many more of it wait for a place in line. */
  more: Record<Lane, number>
  /** The calls that it makes, and those that have ended since its last turn. */
  calls: readonly string[]
  ended: readonly string[]
  /** The 429s since then, each with what the service said of it. */
  pauses: readonly (number | undefined)[]
}

/**
 * The rules of the budget, once for both stores: pure but for the value that they are given to change. Whoever has a
 * turn grants what is open, to whomever; the others find theirs at their next turn. Returns after how many milliseconds
 * more will be open; never is `Infinity`.
 */
export function takeTurn(limits: Limits, value: BudgetValue, said: Said, t: number): number {
  countCalls(value, said, t)
  keepLine(value, said, t)
  for (const retryAfterMs of said.pauses) pause(value, retryAfterMs, t)
  return grantOpen(limits, value, t)
}

/**
 * What is said of the calls under way: a call counts from its end and, while it is made, all the time. What a dead
 * replica was making counts from when it must have ended.
 */
function countCalls(value: BudgetValue, { replica, waiting, calls, ended }: Said, t: number): void {
  for (const [id, until] of Object.entries(value.underWay)) {
    const isOwn = replicaOf(id) === replica
    // It was granted by another, and begins now.
    const begins = until > t && waiting.some((one) => one.id === id)
    if (begins) value.underWay[id] = t + LONGEST_CALL_MS
    // No call was made with it, or it is forgotten.
    else if (isOwn ? !calls.includes(id) : until < t - HOUR_MS) delete value.underWay[id]
    if (ended.includes(id)) value.ended = [...value.ended, t].filter((at) => at >= t - HOUR_MS)
  }
  for (const id of calls) value.underWay[id] = Math.max(value.underWay[id] ?? 0, t + LONGEST_CALL_MS / 2)
}

/** Lets in who comes and out who leaves, of this replica and of those that have died. */
function keepLine(value: BudgetValue, { replica, waiting, more }: Said, t: number): void {
  const line = lineAt(value, t)
  const isGone = ({ id }: Standing) =>
    replicaOf(id) === replica
      ? !waiting.some((one) => one.id === id)
      : (value.replicas[replicaOf(id)]?.at ?? 0) < t - SILENCE_MS
  for (const { id } of value.waiting.filter(isGone)) line.leave(id)
  for (const [other, { at }] of Object.entries(value.replicas))
    if (at < t - SILENCE_MS) delete value.replicas[other]
  for (const one of waiting) line.enter(one)
  const { at = 0 } = value.replicas[replica] ?? {}
  if (waiting.length === 0) delete value.replicas[replica]
  else value.replicas[replica] = { at: at <= t && at > t - HEARD_MS ? at : t, more }
}

function grantOpen(limits: Limits, value: BudgetValue, t: number): number {
  const pace = paceAt(limits, value, t)
  const line = lineAt(value, t)
  for (;;) {
    const [participant, background] = [line.head('participant'), line.head('background')]
    if (!participant && !background) return Number.POSITIVE_INFINITY
    // While participants wait, only the floor can move the background lane.
    const isOwed = background && (!participant || pace.owedAt(background.since) <= t)
    const paced = isOwed ? pace.opensAt('background', background.since) : Number.POSITIVE_INFINITY
    const opens = participant ? pace.opensAt('participant') : paced
    const next = paced <= t ? background : opens <= t ? participant : undefined
    if (!next) return Math.ceil(opens - t)
    line.leave(next.id)
    pace.begin(next.id, next.lane)
  }
}

/** Where a call stands, and about how long it waits. */
export function placeOf(
  limits: Limits,
  value: BudgetValue,
  { id, lane }: { id: string; lane: Lane },
  t: number,
): Place {
  const place = lineAt(value, t).placeOf(id, lane)
  return { place, etaMs: paceAt(limits, value, t).etaMs(lane, place) }
}

/** What a budget tells of itself. */
export function usageOf(limits: Limits, value: BudgetValue, t: number): BudgetUsage {
  const { lengthOf } = lineAt(value, t)
  const waiting = { participant: lengthOf('participant'), background: lengthOf('background') }
  return { ...paceAt(limits, value, t).usage(), waiting }
}
