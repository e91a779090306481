import { backOffMs } from '../domain/back-off.ts'
import { HOUR_MS } from '../domain/durations.ts'
import {
  type AcquireOptions,
  budgetRules,
  LONGEST_CALL_MS,
  MINUTE_MS,
  type Place,
  type Slot,
  type WatchedBudget,
  windowsFor,
} from './budget.ts'
import type { Lane } from './endpoints.ts'
import { createLine, type Standing } from './line.ts'
import { createSlidingLog } from './sliding-log.ts'
import { noSlot, realTimer, type SetTimer, type Waiting, waitForSlot } from './waiting.ts'

export type EmbeddedBudgetOptions = {
  perMinute: number
  perHour: number
  now: () => number
  setTimer?: SetTimer
  /** Everything that `save` was given in the last hour, so that a restart does not forget it. */
  load?: () => Promise<readonly number[]> | readonly number[]
  /** Called before every call with the time (ms of `now`) that it counts from if its end is never known. */
  save?: (until: number) => void
}

type Waiter = Standing & { waiting: Waiting; grant: () => void }

/** The API budget of a process that has the key to itself. */
export function createEmbeddedBudget(options: EmbeddedBudgetOptions): WatchedBudget {
  const { perMinute, perHour, now, save } = options
  const setTimer = options.setTimer ?? realTimer
  const line = createLine<Waiter>()
  const floorSpacingMs = MINUTE_MS / (perMinute * budgetRules.backgroundFloor)
  const floorCalls = Math.max(1, Math.floor(perMinute * budgetRules.backgroundFloor))
  /** The last background calls, as many as the floor holds. */
  const backgroundAt: number[] = []
  let log = createSlidingLog()
  let pausedUntil = 0
  let halvedUntil = 0
  let pauses = 0
  let isClosed = false
  let cancelWake: (() => void) | undefined
  let cancelNews: (() => void) | undefined

  async function loadPast(): Promise<void> {
    const past = (await options.load?.()) ?? []
    const t = now()
    log = createSlidingLog(past.map((at) => Math.min(at, t)).filter((at) => at >= t - HOUR_MS))
  }
  // Without its past the budget may cost a 429; without calls nobody could go on.
  const loaded = loadPast().catch(() => undefined)

  const cap = (t: number) => (t < halvedUntil ? Math.max(1, Math.floor(perMinute / 2)) : perMinute)

  /** When the background lane is owed a slot whatever the participants do. */
  function floorAt(t: number): number {
    const waited = (line.head('background')?.since ?? t) + floorSpacingMs
    const [earliest] = backgroundAt
    if (earliest === undefined || backgroundAt.length < floorCalls) return waited
    return Math.max(waited, earliest + floorCalls * floorSpacingMs)
  }

  /**
   * When the head of a lane may have its slot under this cap, at the earliest.
   *
   * An example with 100 a minute: 49 calls of participants ended at 12:00:00, and at 12:00:10 a background call has
   * waited for 5 s. A participant's would begin at once, as the 50th of 100. Background calls begin while fewer than 49
   * are used, so at its own pace this one begins when those are a minute old, at 12:01:00; but the floor owes it a slot
   * after 12 s of waiting, at 12:00:17. The earlier of the two counts. Had all 100 been used, the floor would have to
   * wait for room as well, until 12:01:00.
   */
  function opensUnder(perMinuteNow: number, lane: Lane, t: number): number {
    const paced = log.opensAt(windowsFor(lane, perMinuteNow, perHour), 1, t)
    if (lane === 'participant') return paced
    const room = log.opensAt(windowsFor('participant', perMinuteNow, perHour), 1, t)
    const owed = Math.max(room, floorAt(t))
    return Math.min(paced, owed)
  }

  /**
   * When the head of a lane may have its slot, at the earliest, with what a 429 left behind.
   *
   * An example: until 12:02:00 only 50 of 100 calls a minute are used, and 50 calls ended at 12:00:00. Asked at
   * 12:00:30: under the halved cap the next one begins at 12:01:00; under the whole cap there is room at once, but it
   * is back only at 12:02:00. The earlier of the two counts. (Had the 50 ended at 12:01:30, that would be 12:02:00.)
   * And no call begins in a pause.
   */
  function opensAt(lane: Lane, t: number): number {
    const whole = Math.max(opensUnder(perMinute, lane, t), halvedUntil)
    const opens = Math.min(opensUnder(cap(t), lane, t), whole)
    return Math.max(opens, pausedUntil)
  }

  function next(t: number): Waiter | undefined {
    const [participant, background] = [line.head('participant'), line.head('background')]
    if (background && floorAt(t) <= t && opensAt('background', t) <= t) return background
    if (participant) return opensAt('participant', t) <= t ? participant : undefined
    return background && opensAt('background', t) <= t ? background : undefined
  }

  function pump() {
    cancelWake?.()
    cancelWake = undefined
    if (isClosed) return
    const t = now()
    for (let waiter = next(t); waiter; waiter = next(t)) {
      line.leave(waiter, t)
      waiter.grant()
    }
    const wakes = (['participant', 'background'] as const)
      .filter((lane) => line.head(lane))
      .map((lane) => (lane === 'background' && line.head('participant') ? floorWake(t) : opensAt(lane, t)))
    if (wakes.length) cancelWake = setTimer(pump, Math.max(1, Math.min(...wakes) - t))
  }

  /** While participants wait, only the floor can move the background lane. */
  const floorWake = (t: number) => Math.max(floorAt(t), opensAt('participant', t))

  function placeOf(waiter: Waiter): Place {
    const t = now()
    const place = line.placeOf(waiter)
    const opens = log.opensAt(windowsFor(waiter.lane, cap(t), perHour), place, t)
    return { place, etaMs: Math.max(opens, pausedUntil) - t }
  }

  /** Goes on for as long as somebody waits who wants to know. */
  function tellNews() {
    const curious = line.everyone().filter(({ waiting }) => waiting.isCurious)
    for (const waiter of curious) waiter.waiting.tell(placeOf(waiter))
    cancelNews = curious.length > 0 ? setTimer(tellNews, budgetRules.newsEveryMs) : undefined
  }

  function begin(lane: Lane): Slot {
    const t = now()
    save?.(t + LONGEST_CALL_MS)
    log.begin()
    if (lane === 'background' && backgroundAt.push(t) > floorCalls) backgroundAt.shift()
    let isOver = false
    const end = (at?: number) => {
      if (isOver) return
      isOver = true
      log.end(at)
      pump()
    }
    return { release: async () => end(now()), cancel: async () => end() }
  }

  function refuse(waiter: Waiter, error: unknown) {
    line.leave(waiter, now())
    waiter.waiting.refuse(error)
    pump()
  }

  async function acquire(lane: Lane, options: AcquireOptions = {}) {
    await loaded
    options.signal?.throwIfAborted()
    if (isClosed) throw noSlot()
    const { rank = 'underWay', account, since = now() } = options
    const waiting = waitForSlot(options, { now, setTimer }, (error) => refuse(waiter, error))
    let isWaiting = true
    const grant = () => {
      isWaiting = false
      try {
        waiting.grant(begin(lane))
      } catch (error) {
        waiting.refuse(error)
      }
    }
    const waiter: Waiter = { lane, rank, account, since: Math.min(since, now()), waiting, grant }
    line.enter(waiter)
    pump()
    if (isWaiting && waiting.isCurious) {
      waiting.tell(placeOf(waiter))
      cancelNews ??= setTimer(tellNews, budgetRules.newsEveryMs)
    }
    return waiting.slot
  }

  return {
    acquire,
    usage: async () => {
      await loaded
      const t = now()
      const everyone = line.everyone()
      const waitingIn = (lane: Lane) => everyone.filter((waiter) => waiter.lane === lane).length
      return {
        minute: { used: log.used(MINUTE_MS, t), limit: cap(t) },
        hour: { used: log.used(HOUR_MS, t), limit: perHour },
        waiting: { participant: waitingIn('participant'), background: waitingIn('background') },
        pausedMs: Math.max(0, pausedUntil - t),
      }
    },
    pause: async (retryAfterMs) => {
      const t = now()
      if (t > halvedUntil) pauses = 0
      // Calls that were under way together are refused together: that is one reason to pause, not many.
      if (retryAfterMs === undefined && t < pausedUntil) return
      const stepMs = backOffMs(budgetRules.pauseStepsMs, pauses + 1)
      if (t >= pausedUntil) pauses += 1
      pausedUntil = Math.max(pausedUntil, t + Math.min(retryAfterMs ?? stepMs, HOUR_MS))
      halvedUntil = pausedUntil + budgetRules.halvedForMs
      pump()
    },
    close: async () => {
      isClosed = true
      cancelNews?.()
      for (const waiter of line.everyone()) refuse(waiter, noSlot())
    },
  }
}
