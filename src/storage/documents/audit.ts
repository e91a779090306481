import { z } from 'zod'
import { DAY_MS } from '../../domain/durations.ts'
import { document } from './document.ts'
import { AUDIT_DAYS, auditExpiry } from './retention.ts'

/** What an organizer can do that somebody may ask about later. */
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
] as const
export type ActKind = (typeof ACTS)[number]

const act = z.object({
  /** The organizer's Telegram id. */
  by: z.number(),
  what: z.enum(ACTS),
  /** The record or roadmap it was about; a batch and an export are about many. */
  token: z.string().optional(),
  at: z.number(),
})
export type Act = z.infer<typeof act>

/** What organizers did, the newest last; by the day (`2026-11-22`, UTC), so that no day grows with the others. */
export const actDays = document('a', { schema: z.object({ acts: z.array(act) }), expiresAt: auditExpiry })

export const actDay = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** The days whose acts are still kept, the newest first. */
export const keptActDays = (now: number): string[] =>
  Array.from({ length: AUDIT_DAYS + 1 }, (_, back) => actDay(now - back * DAY_MS))
