import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Budget } from '../../src/service/budget.ts'
import { openBudget } from '../../src/service/open-budget.ts'
import { createRedisStore } from '../../src/storage/redis.ts'
import { createAccess } from '../sandbox/access.ts'
import type { RedisServer } from './redis-server.ts'

const REPLICAS = 4
/** An hour passes in a minute. */
const SPEED = 60
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const LIMITS = { perMinute: 100, perHour: 3_000 }
const BACKGROUND_CALLS = 500
const PARTICIPANTS = { everyMs: MINUTE / 10, burst: 40, burstEveryMs: 10 * MINUTE } // on average
const CALL_MS = { least: 100, most: 800 }
/** The first hour fills the windows and is not measured. */
const WARM_UP_MS = HOUR
const MEASURED_MS = HOUR

type BudgetLoad = {
  refused: number
  /** Of what the key may spend in an hour. */
  usedShare: number
  /** How long participants waited for a slot, sorted, in milliseconds of their time. */
  waits: number[]
  /** How much of its time Redis was busy with it, in the participants' time. */
  redisShare: number
  /** For how long the machine had no time for this process at all, at most: no budget can be faster. */
  standstillMs: number
}

/** Participants come one by one, and now and then many at once; returns what ends it. */
function comeNowAndThen(
  { nowAndThen }: ReturnType<typeof createFastClock>,
  participant: (index: number) => void,
): () => void {
  const steady = nowAndThen(PARTICIPANTS.everyMs, participant)
  const bursts = nowAndThen(PARTICIPANTS.burstEveryMs, () => {
    for (let index = 0; index < PARTICIPANTS.burst; index += 1) participant(index)
  })
  return () => {
    steady()
    bursts()
  }
}

/** Four replicas of a key under load, against a service that enforces both of its windows. */
export async function loadBudget(redis: RedisServer, isShort = false): Promise<BudgetLoad> {
  const measuredMs = isShort ? MEASURED_MS / 10 : MEASURED_MS
  const clock = createFastClock()
  const service = createAccess('key', LIMITS, clock.now)
  const stores = await Promise.all(
    Array.from({ length: REPLICAS }, () => createRedisStore({ url: redis.url, now: clock.now })),
  )
  const budgets = stores.map((store) => openBudget({ store, name: 'bench', ...LIMITS, ...clock }))
  const seen = { calls: 0, refused: 0 }
  const waits: number[] = []
  let isMeasured = false
  let isOver = false

  /** A call that reaches the service somewhere between its slot and its end. */
  async function call(budget: Budget, lane: 'participant' | 'background'): Promise<void> {
    const askedAt = performance.now()
    const slot = await budget.acquire(lane)
    if (isMeasured && lane === 'participant') waits.push((performance.now() - askedAt) * SPEED)
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
    while (!isOver) await call(budget, 'background')
  }

  const next = (index: number) => budgets[index % REPLICAS] as Budget
  const participant = (index: number) => void call(next(index), 'participant').catch(ignore)
  const crowd = Array.from({ length: BACKGROUND_CALLS }, (_, index) =>
    callAgainAndAgain(next(index)).catch(ignore),
  )
  const stopParticipants = comeNowAndThen(clock, participant)

  await clock.sleep(isShort ? WARM_UP_MS / 10 : WARM_UP_MS)
  const standstill = monitorEventLoopDelay({ resolution: 1 })
  standstill.enable()
  const cpuBefore = await cpuOf(stores[0])
  isMeasured = true
  await clock.sleep(measuredMs)
  isMeasured = false
  const redisShare = ((await cpuOf(stores[0])) - cpuBefore) / measuredMs
  isOver = true
  standstill.disable()
  stopParticipants()
  await Promise.all(budgets.map((budget) => budget.close()))
  await Promise.all(crowd)
  await Promise.all(stores.map((store) => store.close()))
  return {
    refused: seen.refused,
    usedShare: seen.calls / (LIMITS.perHour * (measuredMs / HOUR)),
    waits: waits.sort((one, other) => one - other),
    redisShare,
    standstillMs: (standstill.max / 1e6) * SPEED,
  }
}

/** What the bench closes on the way. */
const ignore = () => undefined

/** Milliseconds of the processor that Redis has spent. */
async function cpuOf(store: Awaited<ReturnType<typeof createRedisStore>> | undefined): Promise<number> {
  const info = (await store?.redis.info('cpu')) ?? ''
  const seconds = [...info.matchAll(/^used_cpu_(?:user|sys):([\d.]+)/gm)].map(([, value]) => Number(value))
  return seconds.reduce((sum, value) => sum + value, 0) * 1_000
}

function createFastClock() {
  const startedAt = performance.now()
  const start = Date.now()
  const setTimer = (callback: () => void, ms: number) => {
    const timer = setTimeout(callback, ms / SPEED)
    return () => clearTimeout(timer)
  }
  return {
    now: () => start + Math.floor((performance.now() - startedAt) * SPEED),
    setTimer,
    sleep: (ms: number) => new Promise<void>((resolve) => void setTimer(resolve, ms)),
    /** Acts at random times that are so far apart on average. Returns what ends it. */
    nowAndThen(ms: number, act: (turn: number) => void) {
      let turn = 0
      let cancel = () => {}
      const wait = () => {
        cancel = setTimer(
          () => {
            act(turn++)
            wait()
          },
          ms * (0.5 + Math.random()),
        )
      }
      wait()
      return () => cancel()
    },
  }
}
