import { HOUR_MS } from '../domain/durations.ts'
import type { Store } from '../store/store.ts'
import { type AcquireOptions, budgetRules, limitsOf, type WatchedBudget } from './budget.ts'
import { createBudgetReplica } from './budget-replica.ts'
import { placeOf, SILENCE_MS, takeTurn, usageOf } from './budget-rules.ts'
import { type BudgetValue, budgetBytes, readBudgetValue } from './budget-value.ts'
import type { Lane } from './endpoints.ts'
import { noSlot, realTimer, type SetTimer, waitForSlot } from './wait-for-slot.ts'

/** How often a replica says that it lives and is heard of what it waits for, and that its calls still last. */
const WAITING_MS = 2_500
const CALLING_MS = 5_000
/** While the store is away. */
const RETRY_MS = 1_000

/** Where the value is kept, with the clock that counts for it. */
export type BudgetStore = Pick<Store, 'readAt' | 'put'>

type SharedBudgetOptions = {
  store: BudgetStore
  /** Names the key of the service without telling it: a keyed hash. */
  name: string
  perMinute: number
  perHour: number
  /** The clock of this process, for what it measures itself. */
  now?: (() => number) | undefined
  setTimer?: SetTimer | undefined
  /** The calls of the last hour, where there is no value yet. */
  past?: ((since: number) => Promise<number[]>) | undefined
}

/**
 * The API budget that all replicas of a key share: one value of the store, compared and set. While the store is away
 * nobody gets a slot; whoever waits goes on waiting, and has its place again, by its time, when the store is back.
 */
export function createSharedBudget(options: SharedBudgetOptions): WatchedBudget {
  const { now = Date.now, setTimer = realTimer } = options
  const limits = limitsOf(options)
  const replica = createBudgetReplica()
  const { read, exchange } = createExchange(options, replica, { now, limits, sync })
  let isClosed = false
  let running: Promise<void> | undefined
  let isAgain = false
  let cancelNext: (() => void) | undefined

  /** Says what is to be said and hears what came of it; who comes at the same time goes together. */
  function sync(): Promise<void> {
    isAgain = true
    running ??= Promise.resolve().then(syncAll)
    return running
  }

  async function syncAll(): Promise<void> {
    while (isAgain) {
      isAgain = false
      // The store is away: all that was to be said is said again.
      const waitMs = await exchange().catch(() => RETRY_MS)
      cancelNext?.()
      cancelNext = isClosed ? undefined : syncIn(waitMs)
    }
    running = undefined
  }

  function syncIn(waitMs: number): (() => void) | undefined {
    if (replica.isWaiting()) return setTimer(sync, Math.max(1, Math.min(waitMs, WAITING_MS)))
    if (replica.isUnheard()) return setTimer(sync, RETRY_MS)
    return replica.isCalling() ? setTimer(sync, CALLING_MS) : undefined
  }

  return {
    async acquire(lane: Lane, asked: AcquireOptions = {}) {
      asked.signal?.throwIfAborted()
      if (isClosed) throw noSlot()
      const standing = replica.standingOf(lane, asked)
      const waiting = waitForSlot(asked, { now, setTimer }, (error) => {
        if (!replica.waiters.delete(standing.id)) return
        waiting.refuse(error)
        void sync()
      })
      replica.add(standing, waiting)
      void sync()
      return waiting.slot
    },
    async usage() {
      const { at, value } = await read()
      return usageOf(limits, value, at)
    },
    async pause(retryAfterMs) {
      replica.pauses.push(retryAfterMs)
      await sync()
    },
    async close() {
      isClosed = true
      for (const { waiting } of replica.waiters.values()) waiting.refuse(noSlot())
      replica.waiters.clear()
      await sync()
    },
  }
}

type Replica = ReturnType<typeof createBudgetReplica>
type Deps = { now: () => number; limits: ReturnType<typeof limitsOf>; sync: () => Promise<void> }

/** One turn of a replica: what it says changes the value, by compare-and-set, and what it finds there is its own. */
function createExchange(
  { store, name, past }: SharedBudgetOptions,
  replica: Replica,
  { now, limits, sync }: Deps,
) {
  const key = `budget:${name}`

  async function read() {
    const { at, entry } = await store.readAt(key)
    const value = readBudgetValue(entry?.value)
    if (!entry && past) value.ended = await past(at - HOUR_MS)
    return { at, entry, value }
  }

  /** Begins whatever has its slot. */
  function begin({ underWay }: BudgetValue): void {
    const granted = [...replica.waiters.values()].filter(({ standing }) => standing.id in underWay)
    for (const waiter of granted) replica.begin(waiter, sync)
    // There is room for others of this replica.
    if (granted.length > 0 && replica.isWaiting()) void sync()
  }

  function tell(value: BudgetValue, at: number): void {
    for (const waiter of replica.waiters.values()) {
      if (!waiter.waiting.isCurious || now() - waiter.toldAt < budgetRules.newsEveryMs) continue
      waiter.toldAt = now()
      waiter.waiting.tell(placeOf(limits, value, waiter.standing, at))
    }
  }

  /** Returns after how many milliseconds the next one is worth while. */
  async function exchange(): Promise<number> {
    for (;;) {
      const askedAt = now()
      const { at, entry, value } = await read()
      const said = replica.say()
      const waitMs = takeTurn(limits, value, said, at)
      const bytes = budgetBytes(value)
      const isSame = entry?.value.equals(bytes)
      const write = { key, value: bytes, expiresAt: at + 2 * HOUR_MS }
      if (!isSame && !(await store.put(write, entry?.version ?? null))) continue
      replica.heard(said)
      replica.remember(value, at)
      // A process that was stopped meanwhile is taken for dead: its slots may be over before its calls are.
      if (now() - askedAt > SILENCE_MS) continue
      begin(value)
      tell(value, at)
      return waitMs
    }
  }

  return { read, exchange }
}
