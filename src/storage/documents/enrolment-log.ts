import { z } from 'zod'
import { DAY_MS } from '../../domain/durations.ts'
import { document } from './document.ts'
import { ENROLMENT_DAYS, enrolmentExpiry } from './retention.ts'

/** What was begun, for organizers: when nothing else is kept of it any more, its row in their table still is. */
const begun = z.object({
  token: z.string(),
  kind: z.enum(['record', 'roadmap']),
  title: z.string(),
  at: z.number(),
})

/** Of a record or roadmap: its record id, and whether somebody has begun. By the token's keyed hash. */
export const enrolment = z.object({
  s: z.string(),
  isBegun: z.literal(true).optional(),
  begun: begun.optional(),
})
export type Enrolment = z.infer<typeof enrolment>

/**
 * What was opened or begun here on one day, for the board of organizers: where each stands is read when somebody looks.
 * A day is kept in parts, so that no entry costs more than a few others. By the day and part (`2026-11-22.7`, UTC).
 */
export const enrolmentLog = document('j', {
  schema: z.object({ entries: z.record(z.string(), enrolment) }),
  expiresAt: enrolmentExpiry,
})

const PARTS = 16
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** The part that a token's hash belongs to. */
export const logPart = (at: number, hash: string): string =>
  `${dayOf(at)}.${hash.charCodeAt(hash.length - 1) % PARTS}`

/** All parts of the last so many days, the oldest first. */
export const logParts = (now: number, days: number = ENROLMENT_DAYS): string[] =>
  Array.from({ length: days }, (_, back) => dayOf(now - (days - 1 - back) * DAY_MS)).flatMap((day) =>
    Array.from({ length: PARTS }, (_, part) => `${day}.${part}`),
  )
