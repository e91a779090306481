/** Remembers whom Telegram asked to be left alone, and until when. */
export type Pacing = {
  /** How long a call with this key has to wait, in milliseconds. */
  waitMs(key: string): number
  /** Telegram refused a call with this key for `retryAfterMs`. */
  pause(key: string, retryAfterMs: number): void
}

/** Two keys refused within this time mean that the whole bot is too fast, not one chat. */
const sameBurstMs = 1000

/** Keys are chats; a call without a chat goes by its method. */
export function createPacing(now: () => number): Pacing {
  const pauses = new Map<string, number>()
  let everyoneUntil = 0
  let last: { key: string; at: number } | undefined

  return {
    waitMs(key) {
      if (pauses.size === 0) return 0 // nearly always: the hot path pays nothing
      const at = now()
      for (const [paused, until] of pauses) if (until <= at) pauses.delete(paused)
      return Math.max(0, everyoneUntil - at, (pauses.get(key) ?? 0) - at)
    },
    pause(key, retryAfterMs) {
      const at = now()
      pauses.set(key, Math.max(pauses.get(key) ?? 0, at + retryAfterMs))
      if (last && last.key !== key && at - last.at < sameBurstMs) everyoneUntil = at + retryAfterMs
      last = { key, at }
    },
  }
}
