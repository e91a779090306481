import type { RedisClient } from '../store/redis-connection.ts'
import type { Store } from '../store/store.ts'
import type { WatchedBudget } from './budget.ts'
import { createEmbeddedBudget } from './embedded-budget.ts'
import { keepBudget } from './keep-budget.ts'
import { createRedisBudget } from './redis-budget.ts'
import type { SetTimer } from './wait-for-slot.ts'

type OpenBudgetOptions = {
  store: Pick<Store, 'read' | 'put'>
  /** Where there is one, the replicas of the key share its budget. */
  redis: RedisClient | undefined
  /** Names the key of the service without telling it: a keyed hash. */
  name: string
  perMinute: number
  perHour: number
  /** Without it the clock of this process counts or, in Redis, its own. */
  now?: (() => number) | undefined
  setTimer?: SetTimer
}

/** The budget of a key: shared through Redis, or kept beside everything else that a single process keeps. */
export function openBudget({ store, redis, name, now: given, ...limits }: OpenBudgetOptions): WatchedBudget {
  if (redis) return createRedisBudget({ redis, name, now: given, ...limits })
  const now = given ?? Date.now
  return createEmbeddedBudget({ ...limits, now, ...keepBudget(store, { name, now }) })
}
