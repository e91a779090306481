import { z } from 'zod'
import { backOffMs } from '../domain/back-off.ts'
import { HOUR_MS } from '../domain/durations.ts'
import { isIn } from '../domain/record/record.ts'
import { postEvent } from '../queue/chat-message.ts'
import { currentFile } from '../queue/current.ts'
import { job } from '../queue/job.ts'
import { type Handler, handler, type JobEnd } from '../queue/task.ts'
import { onBehalf } from '../storage/documents/owed-result.ts'
import { type AnalysisService, beginAnalysis } from './analysis.ts'
import { leaveAnalysis, watchAnalysis } from './analysis-checks.ts'

const generationBody = z.object({
  s: z.string(),
  onBehalf,
  /**
   * `start` asks for the analysis; then it is watched: a step of its own, since all roadmaps share the looks and a conflict
   * must not repeat the call. The others are how a former version called its watching.
   */
  phase: z.enum(['start', 'watch', 'check', 'place', 'found', 'leave']),
  isFirst: z.boolean().optional(),
  tries: z.number().optional(),
  /** When the analysis was begun. */
  since: z.number().optional(),
})
type GenerationBody = z.infer<typeof generationBody>

/** The analysis of a roadmap. By record id. */
export const generationJob = job('generation', generationBody)

const BACK_OFF_MS = [2_000, 5_000, 10_000, 30_000, 60_000]
/** So often it is seen to that what is under way is looked at, whatever has become of the looks. */
const WATCH_MS = HOUR_MS

/** Has the analysis made and watched; survives every restart, since it is a message like any other. */
export function createGenerationHandler(deps: {
  service: AnalysisService
  now: () => number
  pollMs: number
}): Handler {
  const { service, now } = deps

  return handler(generationJob, async ({ body, work, trace }): Promise<JobEnd<GenerationBody>> => {
    const { s, onBehalf, phase, since, isFirst, tries = 0 } = body
    const file = await currentFile(work, body)
    if (!file) {
      await leaveAnalysis(work, s)
      return undefined
    }
    const then = (retryAt: number, changes: Partial<GenerationBody>) => ({
      retryAt,
      retryBody: { s, onBehalf, phase, since, ...changes },
    })
    if (phase !== 'start') {
      if (!isIn(file, 'generating')) return undefined
      await watchAnalysis(deps, work, s, { onBehalf, since, isFirst })
      return then(now() + WATCH_MS, {})
    }
    const event = await beginAnalysis(service, file.token, { tries, trace })
    if (event === 'later') return then(now() + backOffMs(BACK_OFF_MS, tries + 1), { tries: tries + 1 })
    postEvent(work, onBehalf, s, event)
    if (event.kind !== 'generating') return undefined
    return then(now(), { phase: 'watch', isFirst: true, since: now() })
  })
}
