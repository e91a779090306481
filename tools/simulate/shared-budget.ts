import type { WatchedBudget } from '../../src/service/budget.ts'
import type { Lane } from '../../src/service/endpoints.ts'
import type { BudgetStore } from '../../src/service/open-budget.ts'
import { openBudget } from '../../src/service/open-budget.ts'
import type { Host, Time } from './time.ts'

/** The budget that the replicas have in real life, over the store that they share here. */
export function createSharedBudget({
  limits,
  time,
  storeOf,
  onGrant,
}: {
  limits: { perMinute: number; perHour: number }
  time: Time
  storeOf: (host: Host) => BudgetStore
  onGrant: (host: Host, lane: Lane) => void
}) {
  return (host: Host): WatchedBudget => {
    const store = storeOf(host)
    const budget = openBudget({ ...limits, store, name: 'key', now: time.now })
    return {
      ...budget,
      async acquire(lane, options) {
        const slot = await budget.acquire(lane, options)
        onGrant(host, lane)
        return slot
      },
    }
  }
}
