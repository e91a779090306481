import { randomBytes } from 'node:crypto'
import { HOUR_MS } from '../domain/durations.ts'
import type { Entry, Store } from '../storage/store.ts'
import type { AcquireOptions, Place, Slot, WatchedBudget } from './budget.ts'
import * as rules from './budget-rules.ts'
import { type BudgetValue, budgetBytes, readBudgetValue, type Standing } from './budget-value.ts'
import type { Lane } from './endpoints.ts'
import { ServiceError } from './errors.ts'

/** How often a replica says that it lives and is heard of what it waits for, and that its calls still last. */
const WAITING_MS = 2_500
const CALLING_MS = 5_000
/** After a failure. */
const RETRY_MS = 1_000
/** How many of a replica stand in line at most, in each lane; the others of it wait for their places. */
const MOST_IN_LINE = 50
/** How often those who wait are looked at whether their place has changed much, and how much is worth telling. */
const NEWS_MS = 5_000
const MUCH = { share: 0.5, leastMs: 15_000 }
/** It has just come: since when it waits is said by the store's clock. */
const NOT_YET = Number.MAX_SAFE_INTEGER

/** Where the value is kept, with the clock that counts for it. */
export type BudgetStore = Pick<Store, 'readAt' | 'put'>

/** `now`: the clock of this process, for what it measures itself. `setTimer` returns what cancels it. */
type OpenOptions = rules.Limits & {
  now?: (() => number) | undefined
  setTimer?: ((callback: () => void, ms: number) => () => void) | undefined
  /** Told of what keeps everybody waiting, once until it works again. */
  onError?: ((error: unknown) => void) | undefined
}

/** `name` names the key of the service without telling it: a keyed hash. */
type SharedOptions = OpenOptions & { store: BudgetStore; name: string }

/** `cameAt` is since when it waits; its place in line goes by a later time where its account had too many of them. */
type Waiter = {
  standing: Standing
  cameAt: number
  onQueued: AcquireOptions['onQueued']
  told?: Place
  toldAt: number
  grant(slot: Slot): void
  refuse(error: unknown): void
}

/** What the store could not do: all that was to be said is said again. */
class StoreAway extends Error {}

/**
 * The API budget that all replicas of a key share: one value of the store, compared and set. While the store is away
 * nobody gets a slot; whoever waits goes on waiting, and has its place again, by its time, when the store is back.
 */
export function openBudget(options: SharedOptions): WatchedBudget {
  const { now = Date.now, setTimer = realTimer, onError } = options
  const own = createReplica(now, sync)
  const { read, exchange } = createExchange(options, own, now)
  let isClosed = false
  let isFailing = false
  let last = Promise.resolve()
  let next: Promise<void> | undefined
  let cancelTimer: (() => void) | undefined

  /** Says what is to be said and hears what came of it; who comes at the same time goes together. */
  function sync(): Promise<void> {
    next ??= last = last.then(async () => {
      next = undefined
      cancelTimer?.()
      const inMs = await exchange().then(pause, fail)
      cancelTimer = isClosed || inMs === undefined ? undefined : setTimer(sync, inMs)
    })
    return next
  }

  /** When the next one is worth while. */
  function pause(waitMs: number): number | undefined {
    isFailing = false
    if (own.waiters.size > 0) return Math.max(1, Math.min(waitMs, WAITING_MS))
    return own.calls.size > 0 ? CALLING_MS : undefined
  }

  function fail(error: unknown): number {
    if (!isFailing) onError?.(error)
    isFailing = true
    // What is wrong with us does not pass by waiting.
    if (!(error instanceof StoreAway)) for (const { refuse } of own.waiters.values()) refuse(error)
    return RETRY_MS
  }

  return {
    async acquire(lane, asked = {}) {
      asked.signal?.throwIfAborted()
      if (isClosed) throw refusal('no_slot')
      return own.wait(lane, asked, setTimer)
    },
    async usage() {
      const { at, value } = await read()
      return rules.usageOf(options, value, at)
    },
    async pause(retryAfterMs) {
      own.pauses.push(retryAfterMs)
      await sync()
    },
    async close() {
      isClosed = true
      for (const { refuse } of own.waiters.values()) refuse(refusal('no_slot'))
      await sync()
    },
  }
}

type Replica = ReturnType<typeof createReplica>

/** One replica's own part: who waits, which calls it makes, and what the others were not told yet. */
function createReplica(now: () => number, sync: () => Promise<void>) {
  const replica = randomBytes(6).toString('base64url')
  const waiters = new Map<string, Waiter>()
  const calls = new Set<string>()
  /** What is over, but at no time of the store's clock yet. */
  const over = new Set<string>()
  let numbers = 0

  return {
    ...{ replica, waiters, calls, over },
    /** When its calls of the last hour ended. */
    ended: [] as number[],
    pauses: [] as (number | undefined)[],

    /** Begins to wait; it ends once, with the slot or refused. */
    wait(lane: Lane, asked: AcquireOptions, setTimer: typeof realTimer): Promise<Slot> {
      const { rank, account = '', since, signal, deadline, onQueued } = asked
      const id = `${replica}.${(numbers++).toString(36)}`
      const standing = { id, lane, rank: rank === 'unclaimed' ? 1 : 0, account, since: since ?? NOT_YET }
      const cameAt = Math.min(since ?? now(), now())
      return new Promise((resolve, reject) => {
        const isLate = () => deadline !== undefined && now() >= deadline
        const leave = () => refuse(signal?.aborted ? signal.reason : refusal('too_late'))
        const cancelDeadline = deadline === undefined ? undefined : setTimer(leave, deadline - now())
        signal?.addEventListener('abort', leave)
        const end = () => {
          signal?.removeEventListener('abort', leave)
          cancelDeadline?.()
          return waiters.delete(id)
        }
        const refuse = (error: unknown) => {
          if (!end()) return
          reject(error)
          void sync()
        }
        const grant = (slot: Slot) => {
          // A process that was busy may hear of both at once.
          if (isLate()) return leave()
          end()
          calls.add(id)
          resolve(slot)
        }
        waiters.set(id, { standing, cameAt, onQueued, toldAt: Number.NEGATIVE_INFINITY, grant, refuse })
        if (isLate()) leave()
        else void sync()
      })
    },

    /** The slot of a call: it is over when it has ended, or was not made. */
    slotOf(id: string): Slot {
      const end = async (isMade: boolean) => {
        if (!calls.delete(id)) return
        if (isMade) over.add(id)
        await sync()
      }
      return { release: () => end(true), cancel: () => end(false) }
    },
  }
}

/** One turn of a replica: what it says changes the value, and what it finds there is its own. */
function createExchange({ store, name, ...limits }: SharedOptions, own: Replica, now: () => number) {
  const key = `budget:${name}`
  const { waiters, calls, over } = own

  async function read() {
    const { at, entry } = await store.readAt(key)
    const value = readBudgetValue(entry?.value)
    return { at, value, version: entry?.version ?? null }
  }

  function say(): rules.Said {
    const [participant, background] = [inLine(waiters, 'participant'), inLine(waiters, 'background')]
    return {
      replica: own.replica,
      waiting: [...participant.standing, ...background.standing],
      more: { participant: participant.more, background: background.more },
      calls: [...calls, ...over],
      ended: own.ended,
      pauses: [...own.pauses],
    }
  }

  /** Keeps since when each waits, so that it has its place again whatever becomes of it in the store. */
  function remember({ waiting }: BudgetValue, at: number): void {
    const known = new Map(waiting.map(({ id, since }) => [id, since]))
    for (const [id, { standing }] of waiters) standing.since = known.get(id) ?? Math.min(standing.since, at)
  }

  /** Begins whatever has its slot, and tells the others where they stand. */
  function hear(value: BudgetValue, at: number): void {
    for (const [id, waiter] of waiters) {
      const { standing, told, toldAt, onQueued, grant } = waiter
      if (id in value.underWay) grant(own.slotOf(id))
      if (!onQueued || !waiters.has(id) || now() - toldAt < NEWS_MS) continue
      waiter.toldAt = now()
      const place = rules.placeOf(limits, value, standing, at)
      if (told && !hasChangedMuch(told, place)) continue
      waiter.told = place
      onQueued(place)
    }
  }

  /** Returns after how many milliseconds the next one is worth while. */
  async function exchange(): Promise<number> {
    for (;;) {
      const askedAt = now()
      // What ends from here on may have ended after the time that the store says.
      const ended = [...over]
      const { at, value, version } = await read().catch(isAway)
      for (const id of ended) if (over.delete(id)) own.ended.push(at)
      const said = say()
      const waitMs = rules.takeTurn(limits, value, said, at)
      own.ended = value.ended[own.replica] ?? []
      const write = { key, value: budgetBytes(value), expiresAt: at + 2 * HOUR_MS }
      if (!(await store.put(write, version).catch(isAway))) continue
      own.pauses.splice(0, said.pauses.length)
      remember(value, at)
      // A process that was stopped meanwhile is taken for dead: its slots may be over before its calls are.
      if (now() - askedAt > rules.SILENCE_MS) continue
      const waiting = waiters.size
      hear(value, at)
      // Where some have begun, there is room for others of this replica.
      return waiters.size < waiting ? 0 : waitMs
    }
  }

  return { read, exchange }
}

/** Who of a lane stands in line, and how many more wait: a crowd would make the value long. */
function inLine(waiters: ReadonlyMap<string, Waiter>, lane: Lane) {
  const all = [...waiters.values()].filter(({ standing }) => standing.lane === lane)
  all.sort((one, other) => one.standing.rank - other.standing.rank || one.cameAt - other.cameAt)
  const seen = new Map<string, number>()
  // Of one account those that can have its places, and as many that wait for them: no account fills the line.
  const uncrowded = all.filter(({ standing: { account } }) => {
    seen.set(account, (seen.get(account) ?? 0) + 1)
    return account === '' || (seen.get(account) ?? 0) <= 2 * rules.PLACES_OF_ACCOUNT
  })
  const standing = uncrowded.slice(0, MOST_IN_LINE).map((one) => one.standing)
  return { standing, more: all.length - standing.length }
}

function isAway(cause: unknown): never {
  throw new StoreAway('the budget waits for the store', { cause })
}

/** Whether who was told the one should hear the other: half of the line is gone, or half of the time was wrong. */
const hasChangedMuch = (told: Place, { place, etaMs }: Place): boolean =>
  place <= told.place * MUCH.share ||
  Math.abs(etaMs - told.etaMs) >= Math.max(MUCH.leastMs, told.etaMs * MUCH.share)

const refusal = (code: 'no_slot' | 'too_late') => new ServiceError(code, { reached: 'no' })

function realTimer(callback: () => void, ms: number): () => void {
  const timer = setTimeout(callback, ms)
  return () => clearTimeout(timer)
}

/** The API budget of a command, which has the key to itself and leaves nothing behind. */
export function createEmbeddedBudget(options: OpenOptions): WatchedBudget {
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
