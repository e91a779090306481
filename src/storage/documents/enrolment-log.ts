import { z } from 'zod'
import { DAY_MS } from '../../domain/durations.ts'
import { document } from '../documents.ts'
import { AUDIT_DAYS, ENROLMENT_DAYS, expiry } from './retention.ts'

/** The day of a time (`2026-11-22`, UTC). */
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

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
  expiresAt: expiry.enrolment,
})

const PARTS = 16

/** The part that a token's hash belongs to. */
export const logPart = (at: number, hash: string): string =>
  `${dayOf(at)}.${hash.charCodeAt(hash.length - 1) % PARTS}`

/** All parts of the last so many days, the oldest first. */
export const logParts = (now: number, days: number = ENROLMENT_DAYS): string[] =>
  Array.from({ length: days }, (_, back) => dayOf(now - (days - 1 - back) * DAY_MS)).flatMap((day) =>
    Array.from({ length: PARTS }, (_, part) => `${day}.${part}`),
  )

/** What somebody may ask about later: what organizers did, and what became of a record or roadmap beside them. */
export const ACTS = [
  'invite',
  'batch',
  'expire',
  'to',
  'revoke',
  'release-same',
  'release-other',
  'send',
  'external-id',
  'export',
  'results',
  // A result was sent to an organizer.
  'received',
  // A participant has taken over what was released.
  'taken-over',
  // Somebody had everything deleted.
  'withdrawn',
] as const
export type ActKind = (typeof ACTS)[number]

export const act = z.object({
  /** The organizer's Telegram id; of a participant nothing is said. */
  by: z.number().optional(),
  what: z.enum(ACTS),
  /** The record or roadmap it was about; a batch and an export are about many. */
  token: z.string().optional(),
  at: z.number(),
})
export type Act = z.infer<typeof act>

/** What was done, the newest last; by the day (`2026-11-22`, UTC), so that no day grows with the others. */
export const actDays = document('a', { schema: z.object({ acts: z.array(act) }), expiresAt: expiry.audit })

export const actDay = dayOf

/** The days whose acts are still kept, the newest first. */
export const keptActDays = (now: number): string[] =>
  Array.from({ length: AUDIT_DAYS + 1 }, (_, back) => dayOf(now - back * DAY_MS))
