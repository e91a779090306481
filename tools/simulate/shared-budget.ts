import { readBudgetValue, type WatchedBudget } from '../../src/service/budget.ts'
import type { Lane } from '../../src/service/endpoints.ts'
import type { BudgetStore } from '../../src/service/open-budget.ts'
import { openBudget } from '../../src/service/open-budget.ts'
import type { Host, Time } from './time.ts'

/** A replica that is silent for this time loses its places in line at the next write of another replica. */
const SILENT_MS = 10_000

/** The real budget of the replicas, over the store that they share. */
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
  /** A dead replica still has calls in line. */
  onLate: (host: Host) => void
}) {
  /** The replicas by their names in the budget: each writes its own name first. */
  const hosts = new Map<string, Host>()
  const late = new Set<Host>()

  /** Reads new names before the write, because the replica may never get the reply to it. */
  function readNames(value: Buffer | null, host: Host): void {
    for (const name of Object.keys(readBudgetValue(value ?? undefined).replicas))
      if (!hosts.has(name)) hosts.set(name, host)
  }

  /** Checks the line as of its read: a frozen replica or a slow store writes it late. */
  function checkLine(value: Buffer | null, askedAt: number): void {
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
        readNames(write.value, host)
        const isPut = await shared.put(write, version)
        if (isPut) checkLine(write.value, askedAt)
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
