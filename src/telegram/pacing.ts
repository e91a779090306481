/** A chat by its id, or what has no chat by its method. */
export type PacingKey = number | string

/** Refusals this close together may have one cause. */
const BURST_MS = 1_000
/** So many chats refused in a burst, and none accepted meanwhile, mean that the whole bot is too fast. */
const CHATS_IN_A_BURST = 5
/** It is a guess, so the others wait no longer than this for it before one of them asks again. */
const LONGEST_GUESS_MS = 5_000

/** Groups have limits of their own, and numbers below zero: how often they are refused says nothing of people. */
const isPerson = (key: PacingKey): boolean => typeof key === 'number' && key > 0

/** Remembers whom Telegram asked to be left alone, and until when. */
export function createPacing(now: () => number) {
  const pauses = new Map<PacingKey, number>()
  const refused = new Set<PacingKey>()
  let refusedAt = 0
  let everyoneUntil = 0

  return {
    /** How long a call with this key has to wait, in milliseconds. */
    waitMs(key: PacingKey): number {
      if (pauses.size === 0) return 0 // nearly always: the hot path pays nothing
      const at = now()
      for (const [paused, until] of pauses) if (until <= at) pauses.delete(paused)
      const everyoneMs = isPerson(key) ? everyoneUntil - at : 0
      return Math.max(0, everyoneMs, (pauses.get(key) ?? 0) - at)
    },
    /** Telegram refused a call with this key for `retryAfterMs`. */
    pause(key: PacingKey, retryAfterMs: number): void {
      const at = now()
      pauses.set(key, Math.max(pauses.get(key) ?? 0, at + retryAfterMs))
      if (!isPerson(key)) return
      if (at - refusedAt > BURST_MS) refused.clear()
      refused.add(key)
      refusedAt = at
      if (refused.size >= CHATS_IN_A_BURST) everyoneUntil = at + Math.min(retryAfterMs, LONGEST_GUESS_MS)
    },
    /** Telegram took a call with this key. */
    accept(key: PacingKey): void {
      if (refused.size === 0 || !isPerson(key)) return
      refused.clear()
      everyoneUntil = 0
    },
  }
}
