import { z } from 'zod'
import { DAY_MS } from '../../domain/durations.ts'
import { document } from '../documents.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import { expiry } from './retention.ts'

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
