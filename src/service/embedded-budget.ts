import {
  type AcquireOptions,
  type Budget,
  budgetRules,
  hourMs,
  minuteMs,
  type Place,
  type Slot,
  windowsFor,
} from './budget.ts'
import type { Lane } from './endpoints.ts'
import { ServiceError } from './errors.ts'
import { createSlidingLog } from './sliding-log.ts'

export type EmbeddedBudgetOptions = {
  perMinute: number
  perHour: number
  now: () => number
  /** Calls back after so many milliseconds; returns what cancels it. */
  setTimer?: (callback: () => void, ms: number) => () => void
  /** What `save` was given last, so that a restart does not forget the hour. */
  load?: () => Promise<readonly number[]> | readonly number[]
  /** Called before every call with the times (ms of `now`) that count in the last hour. */
  save?: (grants: number[]) => void
}

/** No call takes longer; a call that a crash cut short is remembered as one that took as long as it could. */
const longestCallMs = 20_000

type Waiter = { lane: Lane; since: number; grant: () => void; refuse: (error: unknown) => void }

/** The API budget of a process that has the key to itself. */
export function createEmbeddedBudget(options: EmbeddedBudgetOptions): Budget {
  const { perMinute, perHour, now, save } = options
  const setTimer = options.setTimer ?? realTimer
  const queues: Record<Lane, Waiter[]> = { participant: [], background: [] }
  const underWay = new Set<{ countsUntilKnown: number }>()
  const floorSpacingMs = minuteMs / (perMinute * budgetRules.backgroundFloor)
  const floorCalls = Math.max(1, Math.floor(perMinute * budgetRules.backgroundFloor))
  /** The last background calls, as many as the floor holds. */
  const backgroundAt: number[] = []
  let log = createSlidingLog()
  let pausedUntil = 0
  let halvedUntil = 0
  let pauses = 0
  let cancelWake: (() => void) | undefined

  const loaded = (async () => {
    const past = (await options.load?.()) ?? []
    const t = now()
    log = createSlidingLog(past.map((at) => Math.min(at, t)).filter((at) => at >= t - hourMs))
  })()
  loaded.catch(() => undefined) // every acquire reports it

  const cap = (t: number) => (t < halvedUntil ? Math.max(1, Math.floor(perMinute / 2)) : perMinute)

  /** When the background lane is owed a slot whatever the participants do. */
  function floorAt(t: number): number {
    const waited = (queues.background[0]?.since ?? t) + floorSpacingMs
    const [earliest] = backgroundAt
    if (earliest === undefined || backgroundAt.length < floorCalls) return waited
    return Math.max(waited, earliest + floorCalls * floorSpacingMs)
  }

  /** When the head of a lane may have its slot, at the earliest. */
  function opensAt(lane: Lane, t: number): number {
    const under = (perMinuteNow: number) => {
      const paced = log.opensAt(windowsFor(lane, perMinuteNow, perHour), 1, t)
      if (lane === 'participant') return paced
      const room = log.opensAt(windowsFor('participant', perMinuteNow, perHour), 1, t)
      return Math.min(paced, Math.max(room, floorAt(t)))
    }
    const opens =
      t < halvedUntil ? Math.min(under(cap(t)), Math.max(halvedUntil, under(perMinute))) : under(perMinute)
    return Math.max(opens, pausedUntil)
  }

  function next(t: number): Waiter | undefined {
    const [participant, background] = [queues.participant[0], queues.background[0]]
    if (background && floorAt(t) <= t && opensAt('background', t) <= t) return background
    if (participant) return opensAt('participant', t) <= t ? participant : undefined
    return background && opensAt('background', t) <= t ? background : undefined
  }

  function pump() {
    cancelWake?.()
    cancelWake = undefined
    const t = now()
    for (let waiter = next(t); waiter; waiter = next(t)) {
      queues[waiter.lane].shift()
      waiter.grant()
    }
    const wakes = (['participant', 'background'] as const)
      .filter((lane) => queues[lane].length > 0)
      .map((lane) => (lane === 'background' && queues.participant.length ? floorWake(t) : opensAt(lane, t)))
    if (wakes.length) cancelWake = setTimer(pump, Math.max(1, Math.min(...wakes) - t))
  }

  /** While participants wait, only the floor can move the background lane. */
  const floorWake = (t: number) => Math.max(floorAt(t), opensAt('participant', t))

  function placeOf(lane: Lane, place: number, t: number): Place {
    const opens = log.opensAt(windowsFor(lane, cap(t), perHour), place, t)
    return { place, etaMs: Math.max(opens, pausedUntil) - t }
  }

  const ahead = (lane: Lane) =>
    queues.participant.length + (lane === 'background' ? queues.background.length : 0)

  function begin(lane: Lane): Slot {
    const t = now()
    const call = { countsUntilKnown: t + longestCallMs }
    save?.([...log.ends(t), ...[...underWay, call].map((one) => one.countsUntilKnown)])
    underWay.add(call)
    log.begin()
    if (lane === 'background' && backgroundAt.push(t) > floorCalls) backgroundAt.shift()
    const end = (at?: number) => {
      if (!underWay.delete(call)) return
      log.end(at)
      pump()
    }
    return { release: async () => end(now()), cancel: async () => end() }
  }

  async function acquire(lane: Lane, { deadlineMs, signal, onQueued }: AcquireOptions = {}) {
    await loaded
    signal?.throwIfAborted()
    const since = now()
    const place = placeOf(lane, ahead(lane) + 1, since)
    const noSlot = () => new ServiceError('no_slot', { reached: 'no', queue: place })
    if (deadlineMs !== undefined && opensAt(lane, since) > since + deadlineMs) throw noSlot()
    return new Promise<Slot>((resolve, reject) => {
      let cancelDeadline: (() => void) | undefined
      const settle = () => {
        cancelDeadline?.()
        signal?.removeEventListener('abort', abort)
      }
      const refuse = (error: unknown) => {
        settle()
        queues[lane].splice(queues[lane].indexOf(waiter), 1)
        reject(error)
        pump()
      }
      const abort = () => refuse(signal?.reason)
      const grant = () => {
        settle()
        try {
          resolve(begin(lane))
        } catch (error) {
          reject(error)
        }
      }
      const waiter: Waiter = { lane, since, grant, refuse }
      queues[lane].push(waiter)
      signal?.addEventListener('abort', abort)
      pump()
      if (!queues[lane].includes(waiter)) return
      onQueued?.(place)
      if (deadlineMs !== undefined) cancelDeadline = setTimer(() => refuse(noSlot()), deadlineMs)
    })
  }

  return {
    acquire,
    place: async (lane) => {
      await loaded
      return placeOf(lane, ahead(lane) + 1, now())
    },
    pause: async (retryAfterMs) => {
      const t = now()
      if (t > halvedUntil) pauses = 0
      // Calls that were under way together are refused together: that is one reason to pause, not many.
      if (retryAfterMs === undefined && t < pausedUntil) return
      const backOffMs = Math.min(budgetRules.firstPauseMs * 2 ** pauses, budgetRules.longestPauseMs)
      if (t >= pausedUntil) pauses += 1
      pausedUntil = Math.max(pausedUntil, t + Math.min(retryAfterMs ?? backOffMs, hourMs))
      halvedUntil = pausedUntil + budgetRules.halvedForMs
      pump()
    },
    stats: async () => {
      await loaded
      const t = now()
      return {
        lastMinute: log.count(minuteMs, t),
        lastHour: log.count(hourMs, t),
        inFlight: log.underWay(),
        waiting: { participant: queues.participant.length, background: queues.background.length },
        pausedMs: Math.max(0, pausedUntil - t),
        perMinute: cap(t),
      }
    },
    close: async () => {
      cancelWake?.()
      for (const waiter of [...queues.participant, ...queues.background]) {
        waiter.refuse(new ServiceError('no_slot', { reached: 'no' }))
      }
      cancelWake?.()
    },
  }
}

function realTimer(callback: () => void, ms: number): () => void {
  const timer = setTimeout(callback, ms)
  return () => clearTimeout(timer)
}
