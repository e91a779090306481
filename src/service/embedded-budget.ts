import type { Entry } from '../store/store.ts'
import type { WatchedBudget } from './budget.ts'
import { type BudgetStore, createSharedBudget } from './shared-budget.ts'
import type { SetTimer } from './wait-for-slot.ts'

type EmbeddedBudgetOptions = {
  perMinute: number
  perHour: number
  now: () => number
  setTimer?: SetTimer
}

/** The API budget of a command, which has the key to itself and leaves nothing behind. */
export const createEmbeddedBudget = (options: EmbeddedBudgetOptions): WatchedBudget =>
  createSharedBudget({ ...options, name: 'own', store: inMemory(options.now) })

/** Keeps one value, for one process. */
function inMemory(now: () => number): BudgetStore {
  let entry: Entry | undefined
  let version = 0
  return {
    readAt: async () => ({ at: now(), entry }),
    async put({ value }, expected) {
      if ((entry?.version ?? null) !== expected) return false
      version += 1
      entry = value ? { value, version: String(version) } : undefined
      return true
    },
  }
}
