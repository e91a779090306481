import type { Arguments } from './arguments.ts'
import type { Faults } from './faults.ts'
import { CutConnection, conflict, Refusal } from './refusal.ts'
import type { UpdateQueue } from './update-queue.ts'
import type { WireUpdate } from './wire.ts'
import type { World } from './world.ts'

const MAX_TIMEOUT_SECONDS = 50
const TERMINATED_BY = (what: string) => conflict(`terminated by ${what}`)

export type Polling = ReturnType<typeof createPolling>

type Deps = { world: World; queue: UpdateQueue; faults: Faults; spinGuardMs: number }

/** getUpdates. It waits in real time, whatever clock the world has. */
export function createPolling({ world, queue, faults, spinGuardMs }: Deps) {
  const held = createHeldPoll(queue)
  const pauseBeforeConflict = createConflictPause(spinGuardMs)
  const guardSpin = createSpinGuard(spinGuardMs)

  faults.onSwitch(() => {
    if (faults.isDown()) held.end(new CutConnection())
  })

  return {
    get isWaiting() {
      return held.isWaiting
    },
    /** Ends the waiting poll, because the bot makes a call that excludes it. */
    terminate: (by: string) => held.end(TERMINATED_BY(by)),
    cut: () => held.end(new CutConnection()),
    /** Confirms every update below `offset`; returned updates are repeated until they are confirmed. */
    async getUpdates(args: Arguments, signal: AbortSignal): Promise<WireUpdate[]> {
      if (world.state.webhook) {
        await pauseBeforeConflict()
        throw conflict(
          "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
        )
      }
      const { limit, timeout } = guardSpin(readRequest(args))
      const allowed = args.object('allowed_updates')
      if (Array.isArray(allowed)) queue.allow(allowed.map(String))
      confirm(queue, args.integer('offset') ?? 0)
      if (queue.pending().length === 0 && timeout > 0) {
        held.end(TERMINATED_BY('other getUpdates request; make sure that only one bot instance is running'))
        await held.wait(timeout, signal).catch(async (reason) => {
          if (reason instanceof Refusal) await pauseBeforeConflict()
          throw reason
        })
      }
      const batch = queue.pending().slice(0, limit)
      return faults.disturb(batch.map(({ update }) => update))
    },
  }
}

type Poll = { offset: number; limit: number; timeout: number }

function readRequest(args: Arguments): Poll {
  const limit = args.integer('limit') ?? 100
  return {
    offset: args.integer('offset') ?? 0,
    limit: limit >= 1 && limit <= 100 ? limit : 100,
    timeout: Math.min(Math.max(args.integer('timeout') ?? 0, 0), MAX_TIMEOUT_SECONDS),
  }
}

/** A negative offset keeps that many of the last updates. */
function confirm(queue: UpdateQueue, offset: number): void {
  if (offset > 0) queue.remove((id) => id < offset)
  if (offset >= 0) return
  const kept = new Set(
    queue
      .pending()
      .map(({ update }) => update.update_id)
      .slice(offset),
  )
  queue.remove((id) => !kept.has(id))
}

/** A bot that repeats the same request too fast gets fewer updates, after a pause. */
function createSpinGuard(spinGuardMs: number) {
  let previous = { offset: 0, at: Number.NEGATIVE_INFINITY }

  return ({ offset, limit, timeout }: Poll): Pick<Poll, 'limit' | 'timeout'> => {
    const now = performance.now()
    const sinceSame = previous.offset === offset ? now - previous.at : Number.POSITIVE_INFINITY
    previous = { offset, at: now }
    const isSpinning = sinceSame < spinGuardMs && timeout < spinGuardMs / 1000
    return {
      limit: sinceSame < spinGuardMs / 6 ? 1 : limit,
      timeout: isSpinning ? spinGuardMs / 1000 : timeout,
    }
  }
}

/** A second conflict within 3 s is answered only after 3 s, so that two pollers do not spin. */
function createConflictPause(spinGuardMs: number) {
  let nextConflictAt = Number.NEGATIVE_INFINITY

  return async (): Promise<void> => {
    const now = performance.now()
    if (now >= nextConflictAt) nextConflictAt = now + spinGuardMs
    else await new Promise((resolve) => setTimeout(resolve, spinGuardMs))
  }
}

/** The poll that waits for an update. */
function createHeldPoll(queue: UpdateQueue) {
  let waiting: { end(reason: Refusal | CutConnection): void } | undefined

  return {
    get isWaiting() {
      return waiting !== undefined
    },
    end: (reason: Refusal | CutConnection) => waiting?.end(reason),
    wait(seconds: number, signal: AbortSignal): Promise<void> {
      return new Promise((resolve, reject) => {
        const self = { end: (reason: Refusal | CutConnection) => finish(() => reject(reason)) }
        const finish = (settle: () => void) => {
          clearTimeout(timer)
          stop()
          signal.removeEventListener('abort', onAbort)
          if (waiting === self) waiting = undefined
          settle()
        }
        const onAbort = () => self.end(new CutConnection())
        const timer = setTimeout(() => finish(resolve), seconds * 1000)
        // Updates of one turn of the event loop come as one batch.
        const stop = queue.onAdded(() => setImmediate(() => finish(resolve)))
        signal.addEventListener('abort', onAbort)
        waiting = self
      })
    },
  }
}
