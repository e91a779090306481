import { Refusal } from './refusal.ts'

export interface RateLimits {
  readonly perMinute: number
  readonly perHour: number
}

export interface Access {
  /** The organizer that a key belongs to. @throws Refusal 401 unknown, 403 revoked. */
  organizer(key: unknown): string
  /** Counts one call of the key. @throws Refusal 429 when the call exceeds a limit. */
  spend(key: string): void
  clear(): void
}

/**
 * Decides who may call and how often (spec, Authentication and Limits). Three keys derive from `key`:
 * `<key>-revoked` is refused with 403, `<key>-other` belongs to another organizer, and `<key>-panel` is for
 * the organizer's own panel, whose calls do not count as ours.
 */
export function createAccess(key: string, limits: RateLimits | false, now: () => number): Access {
  const organizers = new Map([
    [key, 'main'],
    [`${key}-other`, 'other'],
    [`${key}-panel`, 'main'],
  ])
  const callsByKey = new Map<string, number[]>()

  return {
    organizer(given) {
      if (given === `${key}-revoked`) throw new Refusal(403, 'This API key is revoked; access denied.')
      const organizer = typeof given === 'string' ? organizers.get(given) : undefined
      if (organizer === undefined) throw new Refusal(401, 'The API key is missing or invalid.')
      return organizer
    },

    spend(given) {
      if (limits === false) return
      const at = now()
      const lastHour = (callsByKey.get(given) ?? []).filter((call) => call > at - 3_600_000)
      const lastMinute = lastHour.filter((call) => call > at - 60_000)
      callsByKey.set(given, lastHour)
      if (lastMinute.length >= limits.perMinute || lastHour.length >= limits.perHour)
        throw new Refusal(429, 'Rate limit exceeded.')
      lastHour.push(at) // a refused call does not count
    },

    clear: () => callsByKey.clear(),
  }
}
