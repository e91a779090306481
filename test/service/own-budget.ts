import type { WatchedBudget } from '../../src/service/budget.ts'
import { type BudgetStore, openBudget } from '../../src/service/open-budget.ts'
import type { Entry } from '../../src/storage/store.ts'

type Options = Omit<Parameters<typeof openBudget>[0], 'store' | 'name'>

/** A budget of one test, which leaves nothing behind. */
export function createEmbeddedBudget(options: Options): WatchedBudget {
  const { now = Date.now } = options
  let entry: Entry | undefined
  const store: BudgetStore = {
    readAt: async () => ({ at: now(), entry }),
    async put({ value }, expected) {
      if ((entry?.version ?? null) !== expected) return false
      entry = value ? { value, version: String(Number(expected) + 1) } : undefined
      return true
    },
  }
  return openBudget({ ...options, store, name: 'own' })
}
