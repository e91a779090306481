import { readBudgetValue, type WatchedBudget } from '../../src/service/budget.ts'
import type { Lane } from '../../src/service/endpoints.ts'
import type { BudgetStore } from '../../src/service/open-budget.ts'
import { openBudget } from '../../src/service/open-budget.ts'
import type { Host, Time } from './time.ts'

/** Whoever is silent for so long has no place in line any more, once somebody else has had a turn. */
const SILENT_MS = 10_000

/** The budget that the replicas have in real life, over the store that they share here. */
export function createSharedBudget({
  limits,
  time,
  storeOf,
  onGrant,
  onLate,
}: {
  limits: { perMinute: number; perHour: number }
  time: Time
  storeOf: (host: Host) => BudgetStore
  onGrant: (host: Host, lane: Lane) => void
  /** One that is dead still stands in line. */
  onLate: (host: Host) => void
}) {
  /** Who they are by the names that they have in the budget: each names itself first. */
  const hosts = new Map<string, Host>()
  const late = new Set<Host>()

  /** Before it is kept: of what is kept a replica may never hear. */
  function lookAtNames(value: Buffer | null, host: Host): void {
    for (const name of Object.keys(readBudgetValue(value ?? undefined).replicas))
      if (!hosts.has(name)) hosts.set(name, host)
  }

  /** As it was read: of a replica that stood still, and of a slow store, the rest comes late. */
  function lookAtLine(value: Buffer | null, askedAt: number): void {
    for (const { id } of readBudgetValue(value ?? undefined).waiting) {
      const one = hosts.get(id.slice(0, id.indexOf('.')))
      if (one?.diedAt === undefined || askedAt - one.diedAt < SILENT_MS || late.has(one)) continue
      late.add(one)
      onLate(one)
    }
  }

  return (host: Host): WatchedBudget => {
    const shared = storeOf(host)
    let askedAt = 0
    const store: BudgetStore = {
      ...shared,
      readAt(key) {
        askedAt = time.elapsed()
        return shared.readAt(key)
      },
      async put(write, version) {
        lookAtNames(write.value, host)
        const isPut = await shared.put(write, version)
        if (isPut) lookAtLine(write.value, askedAt)
        return isPut
      },
    }
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
