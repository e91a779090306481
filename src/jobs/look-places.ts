import { DAY_MS } from '../domain/durations.ts'
import { isLate, type LookSchedule, nextLook, placeFrom } from '../domain/look-schedule.ts'
import { lookSchedules } from '../kept/documents.ts'
import type { UnitOfWork } from '../store/unit-of-work.ts'

/** One schedule for all roadmaps of this bot. */
const ALL = 'all'

/** The places of all looks in their common schedule. */
export function createLookPlaces(deps: { now: () => number; pollMs: number; random: () => number }) {
  const { now, pollMs, random } = deps

  const read = async (work: UnitOfWork): Promise<LookSchedule> => (await work.get(lookSchedules, ALL)) ?? {}

  function keep(work: UnitOfWork, schedule: LookSchedule): void {
    const current = Object.entries(schedule).filter(([, at]) => at > now() - DAY_MS)
    work.put(lookSchedules, ALL, Object.fromEntries(current))
  }

  return {
    /** Finds a place for the next look. */
    async take(work: UnitOfWork, s: string, isFirst: boolean): Promise<number> {
      const schedule = await read(work)
      const at = nextLook(schedule, { s, now: now(), pollMs, isFirst, random: random() })
      keep(work, { ...schedule, [s]: at })
      return at
    },

    /** A place anew for a look that comes late; `undefined` when it does not. */
    async takeLate(work: UnitOfWork, s: string): Promise<number | undefined> {
      const schedule = await read(work)
      const planned = schedule[s]
      if (planned === undefined || !isLate(planned, now())) return undefined
      const at = placeFrom(schedule, s, now())
      keep(work, { ...schedule, [s]: at })
      return at
    },

    async leave(work: UnitOfWork, s: string): Promise<void> {
      const { [s]: own, ...others } = await read(work)
      if (own !== undefined) keep(work, others)
    },
  }
}
