import { z } from 'zod'
import { onBehalf } from '../kept/owed-result.ts'
import { job } from '../mail/job.ts'

/** The analysis of a roadmap. By `S`. */
export const generationJob = job(
  'generation',
  z.object({
    s: z.string(),
    onBehalf,
    /**
     * `start` asks for the analysis, `look` looks at it, `place` finds the time of the next look, `leave` gives its place
     * back. Placing is a step of its own, since all roadmaps share the schedule and a conflict must not repeat a look.
     */
    phase: z.enum(['start', 'look', 'place', 'leave']),
    isFirst: z.boolean().optional(),
    tries: z.number().optional(),
    /** When the analysis was begun; gone once it was told that it takes very long. */
    since: z.number().optional(),
  }),
)
