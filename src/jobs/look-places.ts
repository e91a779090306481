import { z } from 'zod'
import { DAY_MS, HOUR_MS } from '../domain/durations.ts'
import { FEW, isLate, type LookSchedule, MOST_ALONE, nextLook, placeFrom } from '../domain/look-schedule.ts'
import { lookSchedules } from '../kept/documents.ts'
import { job } from '../mail/job.ts'
import type { UnitOfWork } from '../store/unit-of-work.ts'

/** One schedule for all roadmaps of this bot, and one look at their list. */
const ALL = 'all'
/** The place of the next look at the list; no `S` looks so. */
const LIST = 'list'
/** A list that was not looked at for so long is not looked at by anybody. */
const STALE_MS = HOUR_MS

/** Where a survey of the list stands: the next page, and which roadmaps it has not shown yet. */
const surveyed = z.object({
  page: z.number(),
  /** What waited when the survey began, and was not on the list so far; of one that is over, what it is unsure of. */
  missing: z.array(z.string()),
  /** What the survey before did not show either. */
  missed: z.array(z.string()),
  since: z.number(),
  /** How many the list has had at every page; none once that has changed on the way. */
  count: z.number().optional(),
  /** How many of them were seen. */
  seen: z.number(),
  /** Something on it could not be read. */
  isUnread: z.boolean().optional(),
})
export type Surveyed = z.infer<typeof surveyed>

/** Looks at the list of roadmaps in place of each; one actor for all replicas, since it has one id. */
export const surveyJob = job(
  'survey',
  z.object({ survey: surveyed.optional(), isPlaced: z.boolean().optional() }),
)

type Deps = { now: () => number; pollMs: number; random: () => number }

const readSchedule = async (work: UnitOfWork): Promise<LookSchedule> =>
  (await work.get(lookSchedules, ALL)) ?? {}

function keepSchedule(work: UnitOfWork, schedule: LookSchedule, now: number): void {
  const current = Object.entries(schedule).filter(([, at]) => at > now - DAY_MS)
  work.put(lookSchedules, ALL, Object.fromEntries(current))
}

/** The places of looks at single roadmaps, in the schedule that all looks have in common. */
export function createLookPlaces({ now, pollMs, random }: Deps) {
  const keep = (work: UnitOfWork, schedule: LookSchedule) => keepSchedule(work, schedule, now())

  return {
    /** Finds a place for the next look; where many wait, a survey of the list is begun. */
    async take(work: UnitOfWork, s: string, when: 'first' | 'next' | 'now'): Promise<number> {
      const schedule = await readSchedule(work)
      const { [LIST]: list = -STALE_MS } = schedule
      const isSurveyed = list > now() - STALE_MS
      const isListed = isSurveyed || waitingIn({ ...schedule, [s]: 0 }).length > MOST_ALONE
      const isFirst = when === 'first'
      const at =
        when === 'now'
          ? placeFrom(schedule, s, now())
          : nextLook(schedule, { s, now: now(), pollMs, isFirst, isListed, random: random() })
      const isBegun = isListed && !isSurveyed
      if (isBegun) surveyJob.post(work, ALL, {}, { replace: true })
      keep(work, { ...schedule, [s]: at, ...(isBegun && { [LIST]: now() }) })
      return at
    },

    /** Whether a look is not due any more: another one has taken its place. */
    async isReplaced(work: UnitOfWork, s: string, at: number | undefined): Promise<boolean> {
      const planned = (await readSchedule(work))[s]
      return at !== undefined && planned !== undefined && planned !== at
    },

    /** A place anew for a look that comes late; `undefined` when it does not. */
    async takeLate(work: UnitOfWork, s: string): Promise<number | undefined> {
      const schedule = await readSchedule(work)
      const planned = schedule[s]
      if (planned === undefined || !isLate(planned, now())) return undefined
      const at = placeFrom(schedule, s, now())
      keep(work, { ...schedule, [s]: at })
      return at
    },

    async leave(work: UnitOfWork, s: string): Promise<void> {
      const { [s]: own, ...others } = await readSchedule(work)
      if (own !== undefined) keep(work, others)
    },
  }
}

/** The places of looks at the list of roadmaps, in the same schedule. */
export function createListPlaces({ now }: Pick<Deps, 'now'>) {
  return {
    /** What waits, where it is so much that the list is looked at. */
    async crowd(work: UnitOfWork): Promise<string[] | undefined> {
      const waiting = waitingIn(await readSchedule(work))
      return waiting.length > FEW ? waiting : undefined
    },

    /** A place for a page, from this time on. */
    async take(work: UnitOfWork, from: number): Promise<number> {
      const schedule = await readSchedule(work)
      const at = placeFrom(schedule, LIST, Math.max(from, now()))
      keepSchedule(work, { ...schedule, [LIST]: at }, now())
      return at
    },

    /** Nobody looks at the list any more; says what waits, each to be looked at alone. */
    async leave(work: UnitOfWork): Promise<string[]> {
      const { [LIST]: _, ...others } = await readSchedule(work)
      keepSchedule(work, others, now())
      return waitingIn(others)
    },
  }
}

const waitingIn = (schedule: LookSchedule): string[] => Object.keys(schedule).filter((s) => s !== LIST)
