import { type AcquireOptions, budgetRules, LONGEST_CALL_MS, type Slot, type WatchedBudget } from './budget.ts'
import type { Lane } from './endpoints.ts'
import { createLine, type Standing } from './line.ts'
import { createPace } from './pace.ts'
import { noSlot, realTimer, type SetTimer, type Waiting, waitForSlot } from './wait-for-slot.ts'

type EmbeddedBudgetOptions = {
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
type Pace = ReturnType<typeof createPace>
type Clock = { now: () => number; setTimer: SetTimer }

/** The API budget of a process that has the key to itself. */
export function createEmbeddedBudget(options: EmbeddedBudgetOptions): WatchedBudget {
  const { now, save } = options
  const clock: Clock = { now, setTimer: options.setTimer ?? realTimer }
  const pace = createPace(options)
  const queue = createQueue(pace, clock)
  let isClosed = false
  const loaded = loadPast(pace, options)

  function begin(lane: Lane): Slot {
    const t = now()
    save?.(t + LONGEST_CALL_MS)
    pace.begin(lane, t)
    let isOver = false
    const end = (at?: number) => {
      if (isOver) return
      isOver = true
      pace.end(at)
      queue.pump()
    }
    return { release: async () => end(now()), cancel: async () => end() }
  }

  return {
    async acquire(lane: Lane, given: AcquireOptions = {}) {
      await loaded
      given.signal?.throwIfAborted()
      if (isClosed) throw noSlot()
      const { rank = 'underWay', account, since = now() } = given
      const waiting = waitForSlot(given, clock, (error) => queue.refuse(waiter, error))
      const grant = () => {
        try {
          waiting.grant(begin(lane))
        } catch (error) {
          waiting.refuse(error)
        }
      }
      const waiter: Waiter = { lane, rank, account, since: Math.min(since, now()), waiting, grant }
      queue.enter(waiter)
      return waiting.slot
    },
    async usage() {
      await loaded
      return { ...pace.usage(now()), waiting: queue.waiting() }
    },
    async pause(retryAfterMs) {
      pace.pause(now(), retryAfterMs)
      queue.pump()
    },
    async close() {
      isClosed = true
      queue.close()
    },
  }
}

async function loadPast(pace: Pace, { load, now }: EmbeddedBudgetOptions): Promise<void> {
  try {
    pace.load((await load?.()) ?? [], now())
  } catch {
    // Without its past the budget may cost a 429; without calls nobody could go on.
  }
}

/** Hands slots to those who wait as soon as they open. */
function createQueue(pace: Pace, { now, setTimer }: Clock) {
  const line = createLine<Waiter>()
  const news = createNews(line, pace, { now, setTimer })
  let isClosed = false
  let cancelWake: (() => void) | undefined

  const backgroundSince = () => line.head('background')?.since
  const opensAt = (lane: Lane, t: number) => pace.opensAt(lane, t, backgroundSince())

  function next(t: number): Waiter | undefined {
    const [participant, background] = [line.head('participant'), line.head('background')]
    if (background && pace.floorAt(t, background.since) <= t && opensAt('background', t) <= t)
      return background
    if (participant) return opensAt('participant', t) <= t ? participant : undefined
    return background && opensAt('background', t) <= t ? background : undefined
  }

  /** While participants wait, only the floor can move the background lane. */
  const floorWake = (t: number) => Math.max(pace.floorAt(t, backgroundSince()), opensAt('participant', t))

  function pump(): void {
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

  function refuse(waiter: Waiter, error: unknown): void {
    line.leave(waiter, now())
    waiter.waiting.refuse(error)
    pump()
  }

  return {
    pump,
    refuse,
    waiting: () => countLanes(line.everyone()),
    enter(waiter: Waiter): void {
      line.enter(waiter)
      pump()
      if (waiter.waiting.isCurious && line.everyone().includes(waiter)) news.tell(waiter)
    },
    close(): void {
      isClosed = true
      news.end()
      for (const waiter of line.everyone()) refuse(waiter, noSlot())
    },
  }
}

/** How many wait in each lane. */
function countLanes(waiters: readonly Waiter[]): Record<Lane, number> {
  const waiting = { participant: 0, background: 0 }
  for (const { lane } of waiters) waiting[lane] += 1
  return waiting
}

/** Tells whoever wants to know where they stand, and again as long as they wait. */
function createNews(line: ReturnType<typeof createLine<Waiter>>, pace: Pace, { now, setTimer }: Clock) {
  let cancel: (() => void) | undefined

  function tellOne(waiter: Waiter): void {
    const place = line.placeOf(waiter)
    waiter.waiting.tell({ place, etaMs: pace.etaMs(waiter.lane, place, now()) })
  }

  function tellAll(): void {
    const curious = line.everyone().filter(({ waiting }) => waiting.isCurious)
    for (const waiter of curious) tellOne(waiter)
    cancel = curious.length > 0 ? setTimer(tellAll, budgetRules.newsEveryMs) : undefined
  }

  return {
    tell(waiter: Waiter): void {
      tellOne(waiter)
      cancel ??= setTimer(tellAll, budgetRules.newsEveryMs)
    },
    end: () => cancel?.(),
  }
}
