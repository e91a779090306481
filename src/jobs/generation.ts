import { z } from 'zod'
import { backOffMs } from '../domain/back-off.ts'
import { HOUR_MS } from '../domain/durations.ts'
import { recordFiles, watches } from '../kept/documents.ts'
import { onBehalf } from '../kept/owed-result.ts'
import { postEvent } from '../mail/chat-message.ts'
import { guardCurrent } from '../mail/current.ts'
import type { ChatEvent } from '../mail/events.ts'
import { job } from '../mail/job.ts'
import type { Step } from './analysis-steps.ts'
import type { Analyst } from './analyst.ts'
import { createLookPlaces } from './look-places.ts'
import { type Handler, handler, type JobEnd } from './task.ts'

const generationBody = z.object({
  s: z.string(),
  onBehalf,
  /**
   * `start` asks for the analysis, `look` looks at it, `place` finds the time of the next look, `leave` gives its place
   * back. Placing is a step of its own, since all roadmaps share the schedule and a conflict must not repeat a look.
   * `found` is what a look at the list has shown: it is finished.
   */
  phase: z.enum(['start', 'look', 'place', 'found', 'leave']),
  isFirst: z.boolean().optional(),
  /** The list says that something has happened: it is looked at now. */
  isNow: z.boolean().optional(),
  /** The place of this look in the schedule. */
  at: z.number().optional(),
  tries: z.number().optional(),
  /** When the analysis was begun; gone once it was told that it takes very long. */
  since: z.number().optional(),
})
type GenerationBody = z.infer<typeof generationBody>
type End = JobEnd<GenerationBody>

/** The analysis of a roadmap. By `S`. */
export const generationJob = job('generation', generationBody)

const BACK_OFF_MS = [2_000, 5_000, 10_000, 30_000, 60_000]
/** An analysis that takes longer is told once, to who began it and to the organizers; it is looked at all the same. */
const SLOW_AFTER_MS = HOUR_MS

/** Has the analysis made and watches it; survives every restart, since it is a message like any other. */
export function createGenerationHandler(deps: {
  analyst: Analyst
  now: () => number
  pollMs: number
  random?: () => number
}): Handler {
  const { analyst, now, random = Math.random } = deps
  const places = createLookPlaces({ ...deps, random })

  return handler(generationJob, async ({ body, work, trace }): Promise<End> => {
    const { s, onBehalf, phase, since, tries = 0 } = body
    const file = (await guardCurrent(work, onBehalf)) ? await work.get(recordFiles, s) : undefined
    if (phase === 'leave' || !file) {
      await places.leave(work, s)
      work.remove(watches, s)
      return undefined
    }
    const then = (changes: Partial<GenerationBody>, retryAt = now()): End => ({
      retryAt,
      retryBody: { s, onBehalf, phase, since, ...changes },
      countsAsRetry: false,
    })
    const tell = (event: ChatEvent) => postEvent(work, onBehalf, s, event)

    function finish(step: Step): End {
      if ('again' in step) return then({ tries: tries + 1 }, now() + backOffMs(BACK_OFF_MS, tries + 1))
      if ('end' in step) {
        tell(step.end)
        return then({ phase: 'leave' })
      }
      if ('begun' in step) {
        tell(step.begun)
        return then({ phase: 'place', isFirst: true, since: now() })
      }
      if (step.goOn === 'quietly') return then({ phase: 'place' })
      tell({ kind: 'generation-slow' })
      return then({ phase: 'place', since: undefined })
    }

    if (phase === 'found') return finish({ end: { kind: 'generated' } })
    if (phase === 'place') {
      const at = await places.take(work, s, body.isFirst ? 'first' : body.isNow ? 'now' : 'next')
      work.put(watches, s, { onBehalf, since })
      return then({ phase: 'look', at }, at)
    }
    if (phase === 'look' && (await places.isReplaced(work, s, body.at))) return undefined
    const later = phase === 'look' ? await places.takeLate(work, s) : undefined
    if (later !== undefined) return then({ at: later }, later)
    const isSlow = () => since !== undefined && now() - since > SLOW_AFTER_MS
    const ask = { start: analyst.begin, look: analyst.look }[phase]
    const step = await ask(file.token, {
      tries,
      isSlow,
      trace,
    })
    return 'heldUntil' in step ? then({ at: body.at }, step.heldUntil) : finish(step)
  })
}
