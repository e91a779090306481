import { z } from 'zod'
import { DAY_MS } from '../../domain/durations.ts'
import { document, type Kept, readDocuments } from '../documents.ts'
import { AUDIT_DAYS, expiry } from './retention.ts'

/** The day of a time (`2026-11-22`, UTC). */
export const actDay = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** The audit: acts of organizers, and what else happened to a record or roadmap. */
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
  'nudge',
  'results',
  // A result was sent to an organizer.
  'received',
  // A participant has taken over a released test.
  'taken-over',
  // A participant had everything deleted.
  'withdrawn',
] as const
export type ActKind = (typeof ACTS)[number]

export const act = z.object({
  /** The organizer's Telegram id; participants are never named. */
  by: z.number().optional(),
  what: z.enum(ACTS),
  /** The record or roadmap; a batch and an export are about many. */
  token: z.string().optional(),
  at: z.number(),
})
export type Act = z.infer<typeof act>

/** Acts, the newest last. By the day (`2026-11-22`, UTC), so that a document holds one day only. */
export const actDays = document('a', { schema: z.object({ acts: z.array(act) }), expiresAt: expiry.audit })

const DAYS_AT_ONCE = 60

/** All stored acts, day by day, the newest day first. */
export async function* keptActs(kept: Kept, now: number): AsyncGenerator<readonly Act[]> {
  const days = Array.from({ length: AUDIT_DAYS + 1 }, (_, back) => actDay(now - back * DAY_MS))
  for (let from = 0; from < days.length; from += DAYS_AT_ONCE)
    for (const day of await readDocuments(kept, actDays, days.slice(from, from + DAYS_AT_ONCE)))
      if (day) yield day.acts
}
