import { setImmediate } from 'node:timers/promises'
import type { BudgetStore } from '../../src/service/open-budget.ts'

/** Stores that count their open requests, so that a test knows when none is under way. */
export function countedStores() {
  let underWay = 0
  const onAnswered = new Set<() => void>()

  function counted<A extends unknown[], T>(ask: (...args: A) => Promise<T>) {
    return (...args: A): Promise<T> => {
      underWay += 1
      return ask(...args).finally(() => {
        underWay -= 1
        if (underWay === 0) for (const resolve of onAnswered) resolve()
      })
    }
  }

  const answered = () =>
    new Promise<void>((resolve) => {
      onAnswered.add(resolve)
    })

  return {
    /** A test may replace a request by something else. */
    of(opening: BudgetStore | Promise<BudgetStore>): BudgetStore {
      return {
        readAt: counted(async (key) => (await opening).readAt(key)),
        put: counted(async (...write) => (await opening).put(...write)),
      }
    },
    async settled(): Promise<void> {
      for (let quiet = 0; quiet < 3; quiet += 1) {
        if (underWay > 0) {
          quiet = 0
          await answered()
          onAnswered.clear()
        }
        await setImmediate()
      }
    },
  }
}
