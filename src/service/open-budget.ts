import type { RedisClient } from '../store/redis-connection.ts'
import { TAG } from '../store/redis-scripts.ts'
import type { WatchedBudget } from './budget.ts'
import { type BudgetStore, createSharedBudget } from './shared-budget.ts'
import type { SetTimer } from './wait-for-slot.ts'

type OpenBudgetOptions = {
  store: BudgetStore
  /** Where the replicas of an earlier release have kept their calls. */
  redis: RedisClient | undefined
  /** Names the key of the service without telling it: a keyed hash. */
  name: string
  perMinute: number
  perHour: number
  now?: (() => number) | undefined
  setTimer?: SetTimer
}

/** The budget of a key, among everything else that the store keeps. */
export function openBudget({ redis, name, ...options }: OpenBudgetOptions): WatchedBudget {
  const past = redis && ((since: number) => formerCalls(redis, name, since))
  return createSharedBudget({ ...options, name, past })
}

/** When the calls ended that an earlier release has counted, in a sorted set of its own. */
async function formerCalls(redis: RedisClient, name: string, since: number): Promise<number[]> {
  const found = await redis.zrangebyscore(`${TAG}#budget:${name}:log`, since, '+inf', 'WITHSCORES')
  return found.filter((_, index) => index % 2 === 1).map(Number)
}
