import { type Budget, LONGEST_CALL_MS, type Place, type Slot } from '../../src/service/budget.ts'
import { createEmbeddedBudget } from '../../src/service/embedded-budget.ts'
import type { Lane } from '../../src/service/endpoints.ts'
import { noSlot } from '../../src/service/wait-for-slot.ts'
import type { Ask } from './ask.ts'
import type { Host, Time } from './time.ts'

/** So long after the death of a replica its places in line are given up. */
const SILENCE_MS = 5_000

/**
 * The budget of the embedded store, once for all replicas. It treats a dead one as the script in Redis does: its places
 * in line go, and a call that it had under way counts as if it had taken the longest time.
 */
export function createSharedBudget({
  limits,
  time,
  ask,
  onGrant,
}: {
  limits: { perMinute: number; perHour: number }
  time: Time
  ask: Ask
  onGrant: (host: Host, lane: Lane) => void
}) {
  const budget = createEmbeddedBudget({ ...limits, now: time.worldNow })

  return (host: Host): Budget => {
    const waiting = new Set<AbortController>()
    const inWorld = <T>(what: string, act: () => Promise<T>): Promise<T> =>
      ask(host, { asked: 'budget', what, act, failure: () => new Error('the budget did not answer') })

    function slotOf(slot: Slot): Slot {
      const ends = watch(host, time, LONGEST_CALL_MS, () => void slot.release())
      const end = (what: 'release' | 'cancel') => {
        ends()
        return inWorld(what, () => slot[what]())
      }
      return { release: () => end('release'), cancel: () => end('cancel') }
    }

    return {
      acquire(lane, { signal, onQueued, ...options } = {}) {
        signal?.throwIfAborted()
        const leaving = new AbortController()
        const leave = (reason: unknown) => time.add(time.world, 1, () => leaving.abort(reason))
        const follow = () => leave(signal?.reason)
        signal?.addEventListener('abort', follow)
        waiting.add(leaving)
        const tell = onQueued && ((place: Place) => void time.add(host, 1, () => onQueued(place)))
        const forget = watch(host, time, SILENCE_MS, () => leaving.abort(noSlot()))
        return inWorld(`acquire ${lane}`, async () => {
          const slot = await budget.acquire(lane, { ...options, signal: leaving.signal, onQueued: tell })
          onGrant(host, lane)
          return slotOf(slot)
        }).finally(() => {
          forget()
          waiting.delete(leaving)
          signal?.removeEventListener('abort', follow)
        })
      },
      pause: (retryAfterMs) => inWorld('pause', () => budget.pause(retryAfterMs)),
      async close() {
        for (const leaving of waiting) time.add(time.world, 1, () => leaving.abort(noSlot()))
      },
    }
  }
}

/** Looks again and again whether a host has died, and acts so long after that. Ends with what it returns. */
function watch(host: Host, time: Time, afterMs: number, act: () => void): () => void {
  const look = () => {
    if (host.diedAt === undefined) event = time.add(time.world, afterMs, look)
    else act()
  }
  let event = time.add(time.world, afterMs, look)
  return () => {
    event.isCancelled = true
  }
}
