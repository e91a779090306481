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

/** getUpdates. Waiting is measured in real time, whatever clock the world has. */
export function createPolling({ world, queue, faults, spinGuardMs }: Deps) {
  let waiting: { end(reason: Refusal | CutConnection): void } | undefined
  let previous = { offset: 0, at: Number.NEGATIVE_INFINITY }
  let nextConflictAt = Number.NEGATIVE_INFINITY

  faults.onSwitch(() => {
    if (faults.isDown()) waiting?.end(new CutConnection())
  })

  /** A second conflict within 3 s is told only after 3 s, so that two pollers do not spin. */
  async function pauseBeforeConflict(): Promise<void> {
    const now = performance.now()
    if (now >= nextConflictAt) nextConflictAt = now + spinGuardMs
    else await new Promise((resolve) => setTimeout(resolve, spinGuardMs))
  }

  function wait(seconds: number, signal: AbortSignal): Promise<void> {
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
      // What is done in one go comes as one batch.
      const stop = queue.onAdded(() => setImmediate(() => finish(resolve)))
      signal.addEventListener('abort', onAbort)
      waiting = self
    })
  }

  return {
    get isWaiting() {
      return waiting !== undefined
    },
    /** Ends the poll that waits, because the bot does something that excludes it. */
    terminate: (by: string) => waiting?.end(TERMINATED_BY(by)),
    cut: () => waiting?.end(new CutConnection()),
    /** Everything below `offset` is confirmed; what is returned comes again until it is. */
    async getUpdates(args: Arguments, signal: AbortSignal): Promise<WireUpdate[]> {
      if (world.state.webhook) {
        await pauseBeforeConflict()
        throw conflict(
          "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
        )
      }
      const offset = args.integer('offset') ?? 0
      const asked = args.integer('limit') ?? 100
      let limit = asked >= 1 && asked <= 100 ? asked : 100
      let timeout = Math.min(Math.max(args.integer('timeout') ?? 0, 0), MAX_TIMEOUT_SECONDS)
      const allowed = args.object('allowed_updates')
      if (Array.isArray(allowed)) queue.allow(allowed.map(String))

      const sinceSame =
        previous.offset === offset ? performance.now() - previous.at : Number.POSITIVE_INFINITY
      if (sinceSame < spinGuardMs && timeout < spinGuardMs / 1000) timeout = spinGuardMs / 1000
      if (sinceSame < spinGuardMs / 6) limit = 1
      previous = { offset, at: performance.now() }

      if (offset > 0) queue.remove((id) => id < offset)
      if (offset < 0) {
        const kept = new Set(
          queue
            .pending()
            .slice(offset)
            .map(({ update }) => update.update_id),
        )
        queue.remove((id) => !kept.has(id))
      }
      if (queue.pending().length === 0 && timeout > 0) {
        if (waiting) {
          const reason = TERMINATED_BY(
            'other getUpdates request; make sure that only one bot instance is running',
          )
          waiting.end(reason)
        }
        await wait(timeout, signal).catch(async (reason) => {
          if (reason instanceof Refusal) await pauseBeforeConflict()
          throw reason
        })
      }
      return faults.disturb(
        queue
          .pending()
          .slice(0, limit)
          .map(({ update }) => update),
      )
    },
  }
}
