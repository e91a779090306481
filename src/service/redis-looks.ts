import { budgetRules } from './budget.ts'
import type { Calls, Waiter, Waiters } from './redis-waiters.ts'
import type { SetTimer } from './wait-for-slot.ts'

/** How often a replica that waits says that it lives, and sees what a lost reply has cost it. */
const BEAT_MS = 1_000

type Deps = {
  /** Looks, and tells these their place. */
  look: (curious: readonly Waiter[]) => Promise<void>
  waiters: Waiters
  calls: Calls
  setTimer: SetTimer
}

/** When a replica looks at the line: every second while somebody of it waits, and whenever a slot may open. */
export function createLooks({ look, waiters, calls, setTimer }: Deps) {
  let beats = 0
  let isBeating = false
  let isLooking = false
  let cancelNext: (() => void) | undefined

  async function lookAround(): Promise<void> {
    if (isLooking) return
    isLooking = true
    const isNews = (beats * BEAT_MS) % budgetRules.newsEveryMs === 0
    try {
      await look(isNews ? waiters.all() : [])
    } catch {
      // Redis is away; the next beat looks again.
    } finally {
      isLooking = false
    }
  }

  function beat(): void {
    beats += 1
    if (waiters.size > 0 || calls.long().length > 0) void lookAround()
    isBeating = waiters.size > 0 || calls.size > 0
    if (isBeating) setTimer(beat, BEAT_MS)
  }

  return {
    /** From now on there is somebody to look for. */
    begin(): void {
      if (!isBeating) setTimer(beat, BEAT_MS)
      isBeating = true
    },
    /** Looks once more after so long, in place of what was set before; never where it is negative. */
    in(waitMs: number): void {
      cancelNext?.()
      cancelNext = waitMs < 0 ? undefined : setTimer(lookAround, Math.max(1, waitMs))
    },
  }
}
