import { z } from 'zod'
import { DAY_MS } from '../../domain/durations.ts'
import { document, type Kept, readDocuments } from '../documents.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import { AUDIT_DAYS, expiry } from './retention.ts'

/** The day of a time (`2026-11-22`, UTC). */
export const actDay = (at: number): string => new Date(at).toISOString().slice(0, 10)

/**
 * What was opened or begun here, for organizers: when nothing else is kept of it any more, its row in their table still is. By
 * the token's keyed hash; it stands in one of two lists, by the time at which it came there.
 */
export const enrolments = document('roll', {
  schema: z.object({
    s: z.string(),
    token: z.string(),
    kind: z.enum(['record', 'roadmap']),
    title: z.string(),
    openedAt: z.number(),
    begunAt: z.number().optional(),
  }),
  expiresAt: expiry.enrolment,
  list: ({ token, openedAt, begunAt }, vault) => ({
    id: `${ENROLLED}${vault.hash('token', token)}`,
    list: begunAt === undefined ? OPENED : BEGUN,
    at: begunAt ?? openedAt,
  }),
})
export type Enrolment = ReturnType<(typeof enrolments)['read']>
const ENROLLED = 'roll:'
/** The lists of what was opened, and of what was begun. */
export const OPENED = 'enrolled:opened'
export const BEGUN = 'enrolled:begun'

/** The token's hash of what stands in a list of enrolments. */
export const enrolmentId = (listed: string): string => listed.slice(ENROLLED.length)

/** The tests that were asked here, by their titles, each with when it was about last. */
export const boardTests = document('tests', {
  schema: z.object({ tests: z.array(z.object({ title: z.string(), at: z.number() })) }),
})
const MOST_TESTS = 50

/** Notes that a test is asked here, once a day. */
export async function noteTest(work: UnitOfWork, title: string, at: number): Promise<void> {
  const board = (await work.get(boardTests, 'all')) ?? work.put(boardTests, 'all', { tests: [] })
  const known = board.tests.find((test) => test.title === title)
  if (known && at - known.at < DAY_MS) return
  board.tests = [{ title, at }, ...board.tests.filter((test) => test !== known)].slice(0, MOST_TESTS)
}

/** An entry as a former version kept it. */
const formerEntry = z.object({
  s: z.string(),
  isBegun: z.literal(true).optional(),
  begun: z
    .object({ token: z.string(), kind: z.enum(['record', 'roadmap']), title: z.string(), at: z.number() })
    .optional(),
})

/** Its log, by the token's hash, all of a day in 16 parts. By the day and part (`2026-11-22.7`, UTC). */
export const formerLog = document('j', {
  schema: z.object({ entries: z.record(z.string(), formerEntry) }),
  expiresAt: expiry.enrolment,
})

export type FormerEntry = z.infer<typeof formerEntry>

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
  'nudge',
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

const DAYS_AT_ONCE = 60

/** The acts that are still kept, day by day, the newest day first. */
export async function* keptActs(kept: Kept, now: number): AsyncGenerator<readonly Act[]> {
  const days = Array.from({ length: AUDIT_DAYS + 1 }, (_, back) => actDay(now - back * DAY_MS))
  for (let from = 0; from < days.length; from += DAYS_AT_ONCE)
    for (const day of await readDocuments(kept, actDays, days.slice(from, from + DAYS_AT_ONCE)))
      if (day) yield day.acts
}
