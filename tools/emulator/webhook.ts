import type { Faults } from './faults.ts'
import type { QueuedUpdate } from './state.ts'
import type { UpdateQueue } from './update-queue.ts'
import { type PostDeps, postUpdate } from './webhook-post.ts'

export type Webhook = ReturnType<typeof createWebhook>

type Deps = PostDeps & {
  queue: UpdateQueue
  faults: Faults
  /** The pause before the second repeat; the first is immediate, each later pause doubles up to a minute. */
  backOffMs: number
}

const LONGEST_PAUSE_MS = 60_000
const LONGEST_RETRY_AFTER_SECONDS = 3600

type Failure = { count: number; retryAt: number }

/**
 * Delivers updates to the webhook: those of one queue one after the other, queues in parallel. Any status but
 * 2xx leads to a repeat, until the life of the update ends.
 */
export function createWebhook(deps: Deps) {
  const { queue, faults, backOffMs } = deps
  const { state } = deps.world
  const busy = new Set<QueuedUpdate>()
  const failures = createFailures(backOffMs)
  const aborting = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const post = (queued: QueuedUpdate) => postUpdate(deps, queued, aborting.signal)

  queue.onAdded(pump)
  faults.onSwitch(pump)

  function pump(): void {
    clearTimeout(timer)
    if (!state.webhook || aborting.signal.aborted || faults.isDown()) return
    let wakeAt = Number.POSITIVE_INFINITY
    for (const queued of candidates()) {
      if (busy.size >= state.webhook.maxConnections) return
      const retryAt = failures.retryAt(queued.update.update_id)
      if (retryAt > performance.now()) wakeAt = Math.min(wakeAt, retryAt)
      else void deliver(queued)
    }
    if (wakeAt < Number.POSITIVE_INFINITY) timer = setTimeout(pump, wakeAt - performance.now())
  }

  /** The oldest update of every idle queue; under the shuffle fault all waiting updates, newest first. */
  function candidates(): QueuedUpdate[] {
    const waiting = queue.pending().filter((queued) => !busy.has(queued))
    if (waiting.length > 1 && faults.takeShuffle()) return waiting.toReversed()
    const seen = new Set([...busy].map((queued) => queued.queue))
    return waiting.filter((queued) => !seen.has(queued.queue) && seen.add(queued.queue))
  }

  async function deliver(queued: QueuedUpdate): Promise<void> {
    const id = queued.update.update_id
    busy.add(queued)
    try {
      const retryAfter = await post(queued)
      if (retryAfter === undefined) {
        if (faults.takeDuplicate()) await post(queued)
        failures.forget(id)
        queue.remove((candidate) => candidate === id)
      } else failures.note(id, retryAfter)
    } finally {
      busy.delete(queued)
      pump()
    }
  }

  return {
    pump,
    close(): void {
      clearTimeout(timer)
      aborting.abort()
    },
  }
}

/** The time at which a refused update is sent again. */
function createFailures(backOffMs: number) {
  const failures = new Map<number, Failure>()
  return {
    retryAt: (id: number) => failures.get(id)?.retryAt ?? 0,
    forget: (id: number) => failures.delete(id),
    note(id: number, retryAfterSeconds: number): void {
      const count = (failures.get(id)?.count ?? 0) + 1
      const pause = count === 1 ? 0 : Math.min(backOffMs * 2 ** (count - 2), LONGEST_PAUSE_MS)
      const wished = Math.min(retryAfterSeconds, LONGEST_RETRY_AFTER_SECONDS) * 1000
      failures.set(id, { count, retryAt: performance.now() + (wished || pause) })
    },
  }
}
