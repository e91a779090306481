import type { AcquireOptions, Rank, WatchedBudget } from './budget.ts'
import type { Lane } from './endpoints.ts'
import {
  type BudgetOperations,
  createBudgetOperations,
  type Entry,
  type RedisBudgetOptions,
  type Reply,
} from './redis-budget-operations.ts'
import { SILENCE_MS } from './redis-budget-script.ts'
import { createLooks } from './redis-looks.ts'
import { createCalls, createWaiters, type Waiter } from './redis-waiters.ts'
import { noSlot, realTimer, type SetTimer, waitForSlot } from './wait-for-slot.ts'

type Clock = { now: () => number; setTimer: SetTimer }

const RANKS: Record<Rank, number> = { underWay: 0, unclaimed: 1 }

/**
 * The API budget that all replicas of a key share through Redis. While Redis is away nobody gets a slot; whoever
 * waits goes on waiting, and has its place again, by its time, when Redis is back.
 */
export function createRedisBudget(options: RedisBudgetOptions & { setTimer?: SetTimer }): WatchedBudget {
  const clock: Clock = { now: options.now ?? Date.now, setTimer: options.setTimer ?? realTimer }
  const operations = createBudgetOperations(options)
  const queue = createQueue(operations, clock)
  let isClosed = false

  return {
    async acquire(lane: Lane, asked: AcquireOptions = {}) {
      asked.signal?.throwIfAborted()
      if (isClosed) throw noSlot()
      const waiting = waitForSlot(asked, clock, (error) => queue.refuse(waiter, error))
      const { rank = 'underWay', account = '', since = '' } = asked
      const entry: Entry = { id: operations.nextId(), lane, rank: RANKS[rank], account, since }
      const waiter: Waiter = { entry, askedAt: clock.now(), waiting, entered: undefined }
      queue.come(waiter)
      return waiting.slot
    },
    usage: operations.usage,
    async pause(retryAfterMs) {
      await queue.ask(() => operations.pause(retryAfterMs)).catch(() => undefined)
    },
    async close() {
      isClosed = true
      queue.close()
      await operations.close().catch(() => undefined)
    },
  }
}

/** This replica's part of the line: whoever comes enters, and what a reply brings is handed out. */
function createQueue(operations: BudgetOperations, clock: Clock) {
  const { now } = clock
  const waiters = createWaiters()
  const calls = createCalls({ now, release: operations.release, leave })
  const looks = createLooks({ look, waiters, calls, ...clock })

  async function ask(operation: () => Promise<Reply>): Promise<Reply> {
    const askedAt = now()
    const reply = await operation()
    // A process that was stopped meanwhile is taken for dead: its slots may be over before its calls are.
    handOut(reply, now() - askedAt > SILENCE_MS)
    looks.in(waiters.size > 0 ? reply.waitMs : -1)
    return reply
  }

  function handOut({ granted, places }: Reply, isOld: boolean): void {
    const held = granted.flatMap((id) => waiters.get(id) ?? [])
    for (const id of granted) if (!waiters.get(id)) leave(id).catch(() => undefined)
    if (isOld) void enter(held)
    else for (const waiter of held) if (waiters.delete(waiter.entry.id)) calls.begin(waiter)
    for (const { id, ...place } of places) if (place.place > 0) waiters.get(id)?.waiting.tell(place)
  }

  /** Puts them into line, or back to where they were in it. */
  async function enter(entering: Waiter[]): Promise<void> {
    if (entering.length === 0) return
    const asked = { entering: waiters.enter(entering), curious: curiousOf(entering) }
    await ask(() => operations.look(asked)).catch(() => waiters.fail(entering))
  }

  /** Looks what has become of those who wait; who should be in line and is not enters again. */
  async function look(curious: readonly Waiter[]): Promise<void> {
    const operation = waiters.operation()
    const asked = { long: calls.long(), curious: curiousOf(curious) }
    const { known } = await ask(() => operations.look(asked))
    await enter(waiters.missing(known, operation))
  }

  function leave(id: string): Promise<Reply> {
    return ask(() => operations.leave(id))
  }

  return {
    ask,
    come(waiter: Waiter): void {
      waiters.add(waiter, enter)
      looks.begin()
    },
    refuse({ entry, waiting }: Waiter, error: unknown): void {
      waiters.delete(entry.id)
      waiting.refuse(error)
      leave(entry.id).catch(() => undefined)
    },
    close(): void {
      looks.in(-1)
      for (const { waiting } of waiters.clear()) waiting.refuse(noSlot())
    },
  }
}

const curiousOf = (waiters: readonly Waiter[]): string[] =>
  waiters.flatMap(({ entry, waiting }) => (waiting.isCurious ? [entry.id] : []))
