import { setImmediate } from 'node:timers/promises'
import type { Budget } from '../../src/service/budget.ts'
import { type BudgetStore, openBudget } from '../../src/service/open-budget.ts'
import { createRedisStore } from '../../src/storage/redis.ts'
import { createAccess } from '../sandbox/access.ts'
import type { RedisServer } from './redis-server.ts'

const REPLICAS = 4
const MINUTE = 60_000
/** The first hour fills the windows and is not measured; the second one is. */
const HOUR = 60 * MINUTE
const LIMITS = { perMinute: 100, perHour: 3_000 }
const BACKGROUND_CALLS = 500
const PARTICIPANTS = { everyMs: MINUTE / 10, burst: 40, burstEveryMs: 10 * MINUTE } // on average
const CALL_MS = { least: 100, most: 800 }

type BudgetLoad = {
  refused: number
  /** Share of what the key may spend in an hour. */
  usedShare: number
  /** How long participants waited for a slot, sorted. */
  waits: number[]
  /** Share of the time in which Redis was busy. */
  redisShare: number
}

/** Four replicas of a key under load, against a service that enforces both of its windows. */
export async function loadBudget(redis: RedisServer, isShort = false): Promise<BudgetLoad> {
  const measuredMs = isShort ? HOUR / 10 : HOUR
  const clock = createSkippingClock()
  const service = createAccess('key', LIMITS, clock.now)
  const stores = await Promise.all(
    Array.from({ length: REPLICAS }, () => createRedisStore({ url: redis.url, now: clock.now })),
  )
  const budgets = stores.map((store) =>
    openBudget({ store: clock.storeOf(store), name: 'bench', ...LIMITS, ...clock }),
  )
  const seen = { calls: 0, refused: 0 }
  const waits: number[] = []
  let isMeasured = false
  let turn = 0
  const next = () => budgets[turn++ % REPLICAS] as Budget

  /** A call that reaches the service somewhere between its slot and its end. */
  async function call(budget: Budget, lane: 'participant' | 'background'): Promise<void> {
    const askedAt = clock.exact()
    const slot = await budget.acquire(lane)
    if (isMeasured && lane === 'participant') waits.push(clock.exact() - askedAt)
    const lengthMs = CALL_MS.least + Math.random() * (CALL_MS.most - CALL_MS.least)
    const wayMs = Math.random() * lengthMs
    await clock.sleep(wayMs)
    if (isMeasured) seen.calls += 1
    try {
      service.spend('key')
    } catch {
      seen.refused += 1
    }
    await clock.sleep(lengthMs - wayMs)
    await slot.release()
  }

  async function callAgainAndAgain(budget: Budget): Promise<void> {
    for (;;) await call(budget, 'background')
  }

  const participant = () => void call(next(), 'participant').catch(ignore)
  for (let index = 0; index < BACKGROUND_CALLS; index += 1) void callAgainAndAgain(next()).catch(ignore)
  clock.nowAndThen(PARTICIPANTS.everyMs, participant)
  clock.nowAndThen(PARTICIPANTS.burstEveryMs, () => {
    for (let index = 0; index < PARTICIPANTS.burst; index += 1) participant()
  })

  await clock.advance(measuredMs)
  const cpuBefore = await cpuOf(stores[0])
  isMeasured = true
  await clock.advance(measuredMs)
  isMeasured = false
  const redisShare = ((await cpuOf(stores[0])) - cpuBefore) / measuredMs
  await Promise.all(budgets.map((budget) => budget.close()))
  await Promise.all(stores.map((store) => store.close()))
  return {
    refused: seen.refused,
    usedShare: seen.calls / (LIMITS.perHour * (measuredMs / HOUR)),
    waits: waits.sort((one, other) => one - other),
    redisShare,
  }
}

/** Errors of what the bench closes meanwhile. */
const ignore = () => undefined

/** CPU time that Redis has used, in milliseconds. */
async function cpuOf(store: Awaited<ReturnType<typeof createRedisStore>> | undefined): Promise<number> {
  const info = (await store?.redis.info('cpu')) ?? ''
  const seconds = [...info.matchAll(/^used_cpu_(?:user|sys):([\d.]+)/gm)].map(([, value]) => Number(value))
  return seconds.reduce((sum, value) => sum + value, 0) * 1_000
}

/**
 * A clock that skips the time in which nothing happens. A call to the store lasts as long as it really takes;
 * while none is running, the clock jumps to the next timer.
 */
function createSkippingClock() {
  const start = Date.now()
  const startedAt = performance.now()
  const timers = new Map<() => void, number>()
  let skippedMs = 0
  let underWay = 0
  const exact = () => start + skippedMs + performance.now() - startedAt

  const setTimer = (callback: () => void, ms: number) => {
    const timer = () => callback()
    timers.set(timer, exact() + ms)
    return () => void timers.delete(timer)
  }
  const counted = async <T>(asked: Promise<T>): Promise<T> => {
    underWay += 1
    return asked.finally(() => {
      underWay -= 1
    })
  }
  return {
    exact,
    now: () => Math.floor(exact()),
    setTimer,
    sleep: (ms: number) => new Promise<void>((resolve) => void setTimer(resolve, ms)),
    /** A store whose pending calls stop the clock from skipping. */
    storeOf: (store: BudgetStore): BudgetStore => ({
      readAt: (key) => counted(store.readAt(key)),
      put: (...write) => counted(store.put(...write)),
    }),
    /** Acts at random times, this far apart on average, until the load ends. */
    nowAndThen(ms: number, act: () => void): void {
      const wait = () =>
        setTimer(
          () => {
            act()
            wait()
          },
          ms * (0.5 + Math.random()),
        )
      wait()
    },
    /** Lets this much time pass. */
    async advance(ms: number): Promise<void> {
      const until = exact() + ms
      while (exact() < until) {
        // Twice: a callback of a reply may call the store again.
        await setImmediate()
        await setImmediate()
        const [timer, due] = [...timers].reduce(earlier, [() => {}, until])
        if (underWay === 0) skippedMs += Math.max(0, due - exact())
        if (due <= exact() && timers.delete(timer)) timer()
      }
    },
  }
}
type Timer = [callback: () => void, at: number]
const earlier = (one: Timer, other: Timer): Timer => (other[1] < one[1] ? other : one)
