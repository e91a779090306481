import { randomBytes } from 'node:crypto'
import { HOUR_MS } from '../domain/durations.ts'
import type { Store } from '../storage/store.ts'
import type { AcquireOptions, BudgetValue, PlaceInLine, QueuedCall, Slot, WatchedBudget } from './budget.ts'
import { budgetBytes, readBudgetValue } from './budget.ts'
import * as rules from './budget-rules.ts'
import { LANES, type Lane } from './endpoints.ts'
import { ServiceError } from './errors.ts'

/** The longest time between two turns of a replica with waiting calls, and of one with running calls only. */
const WAITING_MS = { participant: 400, background: 2_500 } as const satisfies Record<Lane, number>
const CALLING_MS = 5_000
/** After a failure. */
const RETRY_MS = 1_000
/** How many calls a replica has in the queue of each lane; its others wait outside. */
const MOST_IN_LINE = 50
/** How often the place of a waiting call is checked for changes, and which change is reported. */
const REPORT_EVERY_MS = 5_000
const MUCH_CHANGED = { share: 0.5, leastMs: 15_000 }
/** A new call: the store's clock sets when it began to wait. */
const NOT_YET = Number.MAX_SAFE_INTEGER

/** The store of the value, with the clock that counts for it. */
export type BudgetStore = Pick<Store, 'readAt' | 'put'>

/** `now`: the clock of this process, for durations. `setTimer` returns a function that cancels the timer. */
type OpenOptions = rules.Limits & {
  now?: (() => number) | undefined
  setTimer?: typeof realTimer | undefined
  /** Called for an error that keeps all calls waiting, once until it is over. */
  onError?: ((error: unknown) => void) | undefined
}

/** `cameAt`: since when it waits. Its place may go by a later time, if its account had too many places. */
type Waiter = {
  queued: QueuedCall
  cameAt: number
  grant(): void
  refuse(error: unknown): void
  /** Reports its place from time to time. */
  notify(place: () => PlaceInLine): void
}

/**
 * The API budget that all replicas of a key share: one value of the store, changed by compare-and-set. `name`
 * is a keyed hash of the key. While the store is away, no call gets a slot; waiting calls go on waiting, and
 * get their places back, by their times, when the store is back.
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

  /** Takes a turn; callers at the same time share it. */
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

  /** Takes one turn. Returns the delay in milliseconds until the next one is useful. */
  async function takeTurn(): Promise<number | undefined> {
    const askedAt = now()
    // A call that ends after this point may end later than the store's time.
    const over = [...own.calls].filter(([, isOver]) => isOver)
    const { at, value, version } = await read()
    for (const [id] of over) if (own.calls.delete(id)) own.ended.push(at)
    const report = reportOf(own)
    const dueMs = rules.takeTurn(options, value, report, at)
    const write = { key, value: budgetBytes(value), expiresAt: at + 2 * HOUR_MS }
    if (!(await store.put(write, version))) return takeTurn()
    isFailing = false
    remember(own, report, value, at)
    // If this process stood still, it was taken for dead: its slots may be over before its calls are.
    if (now() - askedAt > rules.SILENCE_MS) return takeTurn()
    for (const [id, { queued, grant, notify }] of own.waiters)
      if (id in value.underWay) grant()
      else notify(() => rules.placeOf(options, value, queued, at))
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

/** The state of this replica: its waiting and running calls, and what it has not reported yet. */
function createReplica({ now, setTimer, sync }: Runner) {
  const name = randomBytes(6).toString('base64url')
  const waiters = new Map<string, Waiter>()
  /** Its calls; `true`: ended, but without a time of the store's clock yet. */
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

  /** Queues a call; the wait ends once, with the slot or an error. */
  const wait = (lane: Lane, { rank, account = '', since, signal, deadline, onQueued }: AcquireOptions) =>
    new Promise<Slot>((resolve, reject) => {
      const id = `${name}.${(numbers++).toString(36)}`
      const behind = rank === 'unclaimed' ? rules.UNCLAIMED : 0
      const queued = { id, lane, rank: behind, account, since: since ?? NOT_YET }
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
      let told: PlaceInLine | undefined
      let toldAt = Number.NEGATIVE_INFINITY
      const waiter: Waiter = {
        queued,
        cameAt: Math.min(since ?? now(), now()),
        refuse(error) {
          if (!end()) return
          reject(error)
          void sync()
        },
        grant() {
          // A busy process may see the slot and the deadline at once.
          if (isLate()) return leave()
          end()
          resolve(slotOf(id))
        },
        notify(placeOf) {
          if (!onQueued || now() - toldAt < REPORT_EVERY_MS) return
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

/** Remembers since when each call waits, so that it keeps its place even if the store loses it. */
function remember(
  own: Replica,
  report: rules.ReplicaReport,
  { ended, waiting }: BudgetValue,
  at: number,
): void {
  own.pauses.splice(0, report.pauses.length)
  own.ended = ended[own.name] ?? []
  const known = new Map(waiting.map(({ id, since }) => [id, since]))
  for (const [id, { queued }] of own.waiters) queued.since = known.get(id) ?? Math.min(queued.since, at)
}

/** Milliseconds until the next turn, in time to show that the replica lives; `undefined` without calls. */
function nextMs({ waiters, calls }: Replica, dueMs: number): number | undefined {
  const waits = new Set(Array.from(waiters.values(), ({ queued }) => queued.lane))
  const lane = LANES.find((one) => waits.has(one))
  if (lane) return Math.min(dueMs, WAITING_MS[lane])
  return calls.size > 0 ? CALLING_MS : undefined
}

/** The report of a replica. It queues a limited number of calls and counts the others, to stay short. */
function reportOf({ name, waiters, calls, ended, pauses }: Replica): rules.ReplicaReport {
  const waiting: QueuedCall[] = []
  const more = { participant: 0, background: 0 }
  for (const lane of LANES) {
    const all = [...waiters.values()].filter(({ queued }) => queued.lane === lane)
    all.sort((one, other) => one.queued.rank - other.queued.rank || one.cameAt - other.cameAt)
    const seen = new Map<string, number>()
    // An account queues as many calls as it has places, and as many again, so that it cannot fill the queue.
    const uncrowded = all.filter(({ queued: { account } }) => {
      seen.set(account, (seen.get(account) ?? 0) + 1)
      return account === '' || (seen.get(account) ?? 0) <= 2 * rules.PLACES_OF_ACCOUNT
    })
    const inLine = uncrowded.slice(0, MOST_IN_LINE)
    waiting.push(...inLine.map(({ queued }) => queued))
    more[lane] = all.length - inLine.length
  }
  return { replica: name, waiting, more, calls: [...calls.keys()], ended, pauses: [...pauses] }
}

/** Whether a new place is worth reporting: half of the queue is gone, or the estimate was wrong by half. */
const hasChangedMuch = (told: PlaceInLine, { place, etaMs }: PlaceInLine): boolean =>
  place <= told.place * MUCH_CHANGED.share ||
  Math.abs(etaMs - told.etaMs) >= Math.max(MUCH_CHANGED.leastMs, told.etaMs * MUCH_CHANGED.share)

const refusal = (code: 'no_slot' | 'too_late') => new ServiceError(code, { reached: 'no' })

function realTimer(callback: () => void, ms: number): () => void {
  const timer = setTimeout(callback, ms)
  return () => clearTimeout(timer)
}
