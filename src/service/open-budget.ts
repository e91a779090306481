import { randomBytes } from 'node:crypto'
import { HOUR_MS } from '../domain/durations.ts'
import type { Store } from '../storage/store.ts'
import type { AcquireOptions, BudgetValue, Place, Slot, Standing, WatchedBudget } from './budget.ts'
import { budgetBytes, readBudgetValue } from './budget.ts'
import * as rules from './budget-rules.ts'
import { LANES, type Lane } from './endpoints.ts'
import { ServiceError } from './errors.ts'

/** How often a replica says that it lives and asks for its slots, sooner where a person waits, and that its calls still last. */
const WAITING_MS = { participant: 400, background: 2_500 } as const satisfies Record<Lane, number>
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
  setTimer?: typeof realTimer | undefined
  /** Told of what keeps everybody waiting, once until it works again. */
  onError?: ((error: unknown) => void) | undefined
}

/** `cameAt` is since when it waits; its place in line goes by a later time where its account had too many of them. */
type Waiter = {
  standing: Standing
  cameAt: number
  grant(): void
  refuse(error: unknown): void
  /** Told of its place now and then. */
  hear(place: () => Place): void
}

/**
 * The API budget that all replicas of a key share: one value of the store, compared and set; `name` names the key
 * without telling it, by a keyed hash. While the store is away nobody gets a slot; whoever waits goes on waiting, and
 * has its place again, by its time, when the store is back.
 */
export function openBudget(options: OpenOptions & { store: BudgetStore; name: string }): WatchedBudget {
  const { store, name, now = Date.now, setTimer = realTimer, onError } = options
  const key = `budget:${name}`
  const own = createReplica({ now, setTimer, sync })
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
      const inMs = await takeTurn().catch(fail)
      cancelTimer = isClosed || inMs === undefined ? undefined : setTimer(sync, Math.max(1, inMs))
    })
    return next
  }

  async function read() {
    const { at, entry } = await store.readAt(key)
    return { at, value: readBudgetValue(entry?.value), version: entry?.version ?? null }
  }

  /** Returns after how many milliseconds the next turn is worth while. */
  async function takeTurn(): Promise<number | undefined> {
    const askedAt = now()
    // What ends from here on may have ended after the time that the store says.
    const over = [...own.calls].filter(([, isOver]) => isOver)
    const { at, value, version } = await read()
    for (const [id] of over) if (own.calls.delete(id)) own.ended.push(at)
    const report = reportOf(own)
    const dueMs = rules.takeTurn(options, value, report, at)
    const write = { key, value: budgetBytes(value), expiresAt: at + 2 * HOUR_MS }
    if (!(await store.put(write, version))) return takeTurn()
    isFailing = false
    remember(own, report, value, at)
    // A process that was stopped meanwhile is taken for dead: its slots may be over before its calls are.
    if (now() - askedAt > rules.SILENCE_MS) return takeTurn()
    for (const [id, { standing, grant, hear }] of own.waiters)
      if (id in value.underWay) grant()
      else hear(() => rules.placeOf(options, value, standing, at))
    return nextMs(own, dueMs)
  }

  function fail(cause: unknown): number {
    if (!isFailing) onError?.(new Error('the budget waits for the store', { cause }))
    isFailing = true
    return RETRY_MS
  }

  return {
    async acquire(lane, asked = {}) {
      asked.signal?.throwIfAborted()
      if (isClosed) throw refusal('no_slot')
      return own.wait(lane, asked)
    },
    usage: () => read().then(({ at, value }) => rules.usageOf(options, value, at)),
    pause(retryAfterMs) {
      own.pauses.push(retryAfterMs)
      return sync()
    },
    close() {
      isClosed = true
      for (const { refuse } of own.waiters.values()) refuse(refusal('no_slot'))
      return sync()
    },
  }
}

type Runner = {
  now(): number
  setTimer: typeof realTimer
  sync(): Promise<void>
}

/** One replica's own part: who waits, which calls it makes, and what the others were not told yet. */
function createReplica({ now, setTimer, sync }: Runner) {
  const name = randomBytes(6).toString('base64url')
  const waiters = new Map<string, Waiter>()
  /** The calls that it makes; those that are true are over, but at no time of the store's clock yet. */
  const calls = new Map<string, boolean>()
  /** When its calls of the last hour ended. */
  const ended: number[] = []
  const pauses: (number | undefined)[] = []
  let numbers = 0

  function slotOf(id: string): Slot {
    calls.set(id, false)
    const end = async (isMade: boolean) => {
      if (calls.get(id) === false && (isMade ? calls.set(id, true) : calls.delete(id))) await sync()
    }
    return { release: () => end(true), cancel: () => end(false) }
  }

  /** Begins to wait; it ends once, with the slot or refused. */
  const wait = (lane: Lane, { rank, account = '', since, signal, deadline, onQueued }: AcquireOptions) =>
    new Promise<Slot>((resolve, reject) => {
      const id = `${name}.${(numbers++).toString(36)}`
      const behind = rank === 'unclaimed' ? rules.UNCLAIMED : 0
      const standing = { id, lane, rank: behind, account, since: since ?? NOT_YET }
      const isLate = () => deadline !== undefined && now() >= deadline
      if (isLate()) return reject(refusal('too_late'))
      const leave = () => waiter.refuse(signal?.aborted ? signal.reason : refusal('too_late'))
      const cancelDeadline = deadline === undefined ? undefined : setTimer(leave, deadline - now())
      signal?.addEventListener('abort', leave)
      const end = () => {
        signal?.removeEventListener('abort', leave)
        cancelDeadline?.()
        return waiters.delete(id)
      }
      let told: Place | undefined
      let toldAt = Number.NEGATIVE_INFINITY
      const waiter: Waiter = {
        standing,
        cameAt: Math.min(since ?? now(), now()),
        refuse(error) {
          if (!end()) return
          reject(error)
          void sync()
        },
        grant() {
          // A process that was busy may hear of both at once.
          if (isLate()) return leave()
          end()
          resolve(slotOf(id))
        },
        hear(placeOf) {
          if (!onQueued || now() - toldAt < NEWS_MS) return
          toldAt = now()
          const place = placeOf()
          if (told && !hasChangedMuch(told, place)) return
          told = place
          onQueued(place)
        },
      }
      waiters.set(id, waiter)
      void sync()
    })

  return { name, waiters, calls, ended, pauses, wait }
}
type Replica = ReturnType<typeof createReplica>

/** Keeps since when each waits, so that it has its place again whatever becomes of it in the store. */
function remember(
  own: Replica,
  report: rules.ReplicaReport,
  { ended, waiting }: BudgetValue,
  at: number,
): void {
  own.pauses.splice(0, report.pauses.length)
  own.ended = ended[own.name] ?? []
  const known = new Map(waiting.map(({ id, since }) => [id, since]))
  for (const [id, { standing }] of own.waiters) standing.since = known.get(id) ?? Math.min(standing.since, at)
}

/** Sooner than its first is due where a replica has to say that it lives; never where nothing of it is open. */
function nextMs({ waiters, calls }: Replica, dueMs: number): number | undefined {
  const waits = new Set(Array.from(waiters.values(), ({ standing }) => standing.lane))
  const lane = LANES.find((one) => waits.has(one))
  if (lane) return Math.min(dueMs, WAITING_MS[lane])
  return calls.size > 0 ? CALLING_MS : undefined
}

/** All that it has to say. A crowd would make the value long: so many stand in line, and the others are counted. */
function reportOf({ name, waiters, calls, ended, pauses }: Replica): rules.ReplicaReport {
  const waiting: Standing[] = []
  const more = { participant: 0, background: 0 }
  for (const lane of LANES) {
    const all = [...waiters.values()].filter(({ standing }) => standing.lane === lane)
    all.sort((one, other) => one.standing.rank - other.standing.rank || one.cameAt - other.cameAt)
    const seen = new Map<string, number>()
    // Of one account those that can have its places, and as many that wait for them: no account fills the line.
    const uncrowded = all.filter(({ standing: { account } }) => {
      seen.set(account, (seen.get(account) ?? 0) + 1)
      return account === '' || (seen.get(account) ?? 0) <= 2 * rules.PLACES_OF_ACCOUNT
    })
    const inLine = uncrowded.slice(0, MOST_IN_LINE)
    waiting.push(...inLine.map(({ standing }) => standing))
    more[lane] = all.length - inLine.length
  }
  return { replica: name, waiting, more, calls: [...calls.keys()], ended, pauses: [...pauses] }
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
