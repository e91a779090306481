import { z } from 'zod'
import { DAY_MS } from '../../domain/durations.ts'
import { document, type Kept, readDocuments } from '../documents.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import { AUDIT_DAYS, expiry } from './retention.ts'

/** The day of a time (`2026-11-22`, UTC). */
export const actDay = (at: number): string => new Date(at).toISOString().slice(0, 10)

/**
 * The records and roadmaps that were opened or begun here, for the organizers' table. A row stays when the
 * file of its record is deleted. By the token's keyed hash. Each is in one of two lists, in order of arrival.
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
/** The lists of opened and of begun records and roadmaps. */
export const OPENED = 'enrolled:opened'
export const BEGUN = 'enrolled:begun'

/** The token's hash in an id of these lists. */
export const enrolmentId = (listed: string): string => listed.slice(ENROLLED.length)

/** The titles of the tests taken here, each with the time of the last note. */
export const boardTests = document('tests', {
  schema: z.object({ tests: z.array(z.object({ title: z.string(), at: z.number() })) }),
})
const MOST_TESTS = 50

/** Notes that a test is taken here, at most once a day. */
export async function noteTest(work: UnitOfWork, title: string, at: number): Promise<void> {
  const board = (await work.get(boardTests, 'all')) ?? work.put(boardTests, 'all', { tests: [] })
  const known = board.tests.find((test) => test.title === title)
  if (known && at - known.at < DAY_MS) return
  board.tests = [{ title, at }, ...board.tests.filter((test) => test !== known)].slice(0, MOST_TESTS)
}

const formerEntry = z.object({
  s: z.string(),
  isBegun: z.literal(true).optional(),
  begun: z
    .object({ token: z.string(), kind: z.enum(['record', 'roadmap']), title: z.string(), at: z.number() })
    .optional(),
})

/** A former version's log by the token's hash, 16 parts a day. By day and part (`2026-11-22.7`, UTC). */
export const formerLog = document('j', {
  schema: z.object({ entries: z.record(z.string(), formerEntry) }),
  expiresAt: expiry.enrolment,
})

export type FormerEntry = z.infer<typeof formerEntry>

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
