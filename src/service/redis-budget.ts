import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { RedisClient } from '../store/redis-connection.ts'
import { TAG } from '../store/redis-scripts.ts'
import { type AcquireOptions, budgetRules, LONGEST_CALL_MS, type Rank, type WatchedBudget } from './budget.ts'
import type { Lane } from './endpoints.ts'
import { redisBudgetScript, SILENCE_MS } from './redis-budget-script.ts'
import { noSlot, realTimer, type SetTimer, type Waiting, waitForSlot } from './wait-for-slot.ts'

type RedisBudgetOptions = {
  redis: RedisClient
  /** Names the key of the service without telling it: a keyed hash. */
  name: string
  perMinute: number
  perHour: number
  /** Without it the clock of Redis counts, which all replicas share. */
  now?: (() => number) | undefined
  setTimer?: SetTimer
}

/** How often a replica that waits says that it lives, and sees what a lost reply has cost it. */
const BEAT_MS = 1_000
const usageReply = z.tuple([
  z.number(),
  z.number(),
  z.number(),
  z.number(),
  z.number(),
  z.number(),
  z.number(),
])
const RANKS: Record<Rank, number> = { underWay: 0, unclaimed: 1 }

/** `entered` is the number of the operation that put it into line; none while it is not there. */
type Waiter = {
  id: string
  entry: [lane: Lane, rank: number, account: string, since: number | '']
  askedAt: number
  waiting: Waiting
  entered: number | undefined
}
/** When the next look is worth while, how many of this replica wait, who has a slot, and the places asked for. */
type Reply = [waitMs: number, known: number, granted: string[], places: number[]]
type Looking = { entering?: Waiter[]; long?: string[]; curious?: Waiter[] }
type Argument = string | number
type Scripted = { porsaBudget(...args: Argument[]): Promise<Reply> }

/**
 * The API budget that all replicas of a key share through Redis. While Redis is away nobody gets a slot; whoever
 * waits goes on waiting, and has its place again, by its time, when Redis is back.
 */
export function createRedisBudget(options: RedisBudgetOptions): WatchedBudget {
  const { redis, name, perMinute, perHour, setTimer = realTimer } = options
  const now = options.now ?? Date.now
  redis.defineCommand('porsaBudget', { numberOfKeys: 1, lua: redisBudgetScript })
  const replica = randomBytes(6).toString('base64url')
  const waiters = new Map<string, Waiter>()
  /** Calls under way, and when they began. */
  const calls = new Map<string, number>()
  const coming: Waiter[] = []
  let count = 0
  let operations = 0
  let beats = 0
  let isLooking = false
  let isClosed = false
  let cancelWake: (() => void) | undefined
  let isBeating = false

  const run = (operation: string, ...args: Argument[]) => {
    const clock = options.now?.() ?? ''
    const key = `${TAG}#budget:${name}`
    const common = [key, clock, replica, perMinute, perHour, operation]
    // `defineCommand` tells the compiler nothing of what it adds; the script ends with a `Reply`.
    return (redis as unknown as Scripted).porsaBudget(...common, ...args)
  }

  /** Runs an operation and hands out the slots that it brings. */
  async function ask(operation: string, ...args: Argument[]): Promise<Reply> {
    const askedAt = now()
    const reply = await run(operation, ...args)
    const [waitMs, , granted] = reply
    // A process that was stopped meanwhile is taken for dead: its slots may be over before its calls are.
    const isOld = now() - askedAt > SILENCE_MS
    const old: Waiter[] = []
    for (const id of granted) {
      const waiter = waiters.get(id)
      if (waiter && !isOld) begin(waiter)
      else if (waiter) old.push(waiter)
      else void ask('leave', id).catch(() => undefined)
    }
    void enter(old)
    cancelWake?.()
    cancelWake = waitMs < 0 || waiters.size === 0 ? undefined : setTimer(lookAround, Math.max(1, waitMs))
    return reply
  }

  function begin({ id, waiting }: Waiter): void {
    waiters.delete(id)
    calls.set(id, now())
    const once = async (end: () => Promise<unknown>) => {
      // When Redis does not hear of the end, the call counts as one that took as long as it could.
      if (calls.delete(id)) await end().catch(() => undefined)
    }
    waiting.grant({
      release: () => once(() => run('release', id)),
      cancel: () => once(() => ask('leave', id)),
    })
  }

  /** Puts them into line, or back to where they were in it. */
  async function enter(entering: Waiter[]): Promise<void> {
    if (entering.length === 0) return
    for (const waiter of entering) waiter.entered = operations++
    const entered = look({ entering, curious: entering.filter(({ waiting }) => waiting.isCurious) })
    // From now on its place is that of its time, whatever becomes of it in Redis.
    for (const { entry, askedAt } of entering) entry[3] ||= askedAt
    await entered.catch(() => {
      for (const waiter of entering) waiter.entered = undefined
    })
  }

  /** Who comes at the same time enters together. */
  function come(waiter: Waiter): void {
    waiters.set(waiter.id, waiter)
    if (coming.push(waiter) > 1) return
    queueMicrotask(() => void enter(coming.splice(0).filter(({ id }) => waiters.has(id))))
  }

  function refuse(waiter: Waiter, error: unknown): void {
    waiters.delete(waiter.id)
    waiter.waiting.refuse(error)
    void ask('leave', waiter.id).catch(() => undefined)
  }

  /** Enters who comes, says which calls take long, and asks for the places of those who want to know. */
  async function look({ entering = [], long = [], curious = [] }: Looking): Promise<Reply> {
    const entries = entering.flatMap(({ id, entry }) => [id, ...entry])
    const ids = curious.map(({ id }) => id)
    const reply = await ask('look', entering.length, ...entries, long.length, ...long, ids.length, ...ids)
    const places = reply[3]
    for (const [index, { id, waiting }] of curious.entries()) {
      const [place = -1, etaMs = 0] = places.slice(2 * index)
      if (place > 0 && waiters.has(id)) waiting.tell({ place, etaMs })
    }
    return reply
  }

  async function lookAround(): Promise<void> {
    if (isLooking) return
    isLooking = true
    const asked = operations++
    const long = [...calls].filter(([, at]) => now() - at >= LONGEST_CALL_MS / 2).map(([id]) => id)
    const isNews = (beats * BEAT_MS) % budgetRules.newsEveryMs === 0
    const curious = [...waiters.values()].filter(({ waiting }) => isNews && waiting.isCurious)
    try {
      const [, known] = await look({ long, curious })
      const entered = [...waiters.values()].filter((one) => one.entered !== undefined && one.entered < asked)
      const outside = [...waiters.values()].filter(
        (one) => one.entered === undefined && !coming.includes(one),
      )
      // Who left meanwhile may still be known.
      await enter(known < entered.length ? [...entered, ...outside] : outside)
    } catch {
      // Redis is away; the next beat looks again.
    } finally {
      isLooking = false
    }
  }

  function beat(): void {
    beats += 1
    const isLong = [...calls.values()].some((at) => now() - at >= LONGEST_CALL_MS / 2)
    if (waiters.size > 0 || isLong) void lookAround()
    isBeating = waiters.size > 0 || calls.size > 0
    if (isBeating) setTimer(beat, BEAT_MS)
  }

  return {
    async acquire(lane: Lane, asked: AcquireOptions = {}) {
      asked.signal?.throwIfAborted()
      if (isClosed) throw noSlot()
      const waiting = waitForSlot(asked, { now, setTimer }, (error) => refuse(waiter, error))
      const { rank = 'underWay', account = '', since } = asked
      const id = `${replica}.${(count++).toString(36)}`
      const entry: Waiter['entry'] = [lane, RANKS[rank], account, since ?? '']
      const waiter: Waiter = { id, entry, askedAt: now(), waiting, entered: undefined }
      come(waiter)
      if (!isBeating) setTimer(beat, BEAT_MS)
      isBeating = true
      return waiting.slot
    },
    async usage() {
      const [minute, perMinuteNow, hour, perHourNow, participant, background, pausedMs] = usageReply.parse(
        await run('usage'),
      )
      return {
        minute: { used: minute, limit: perMinuteNow },
        hour: { used: hour, limit: perHourNow },
        waiting: { participant, background },
        pausedMs,
      }
    },
    async pause(retryAfterMs) {
      await ask('pause', retryAfterMs ?? '').catch(() => undefined)
    },
    async close() {
      isClosed = true
      cancelWake?.()
      for (const { waiting } of waiters.values()) waiting.refuse(noSlot())
      waiters.clear()
      await run('close').catch(() => undefined)
    },
  }
}
