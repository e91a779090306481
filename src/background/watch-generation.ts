import { DAY_MS, HOUR_MS } from '../domain/durations.ts'
import { isLate, type LookSchedule, nextLook, placeFrom } from '../domain/look-schedule.ts'
import type { ServiceClient } from '../service/client.ts'
import { ServiceError } from '../service/errors.ts'
import type { UnitOfWork } from '../store/unit-of-work.ts'
import type { ChatEvent, GenerationRefusal, OnBehalf } from './actors.ts'
import { backOffMs } from './back-off.ts'
import { lookSchedules, recordFiles } from './kinds.ts'
import { guardCurrent } from './on-behalf.ts'
import { postEvent } from './post-event.ts'
import type { JobEnd, JobHandler } from './worker.ts'

export type GenerationJob = {
  s: string
  onBehalf: OnBehalf
  /**
   * `start` asks for the analysis, `look` looks at it, `place` finds the time of the next look, `leave` gives its place
   * back. Placing is a step of its own, since all roadmaps share the schedule and a conflict must not repeat a look.
   */
  phase: 'start' | 'look' | 'place' | 'leave'
  isFirst?: boolean
  tries?: number
  /** When the analysis was begun; gone once it was told that it takes very long. */
  since?: number | undefined
}

/** One schedule for all roadmaps of this bot. */
const SCHEDULE = 'all'
const BACK_OFF_MS = [2_000, 5_000, 10_000, 30_000, 60_000]
/** How often a record's submission may be found under way at the service although we know it as finished. */
const UNFINISHED_TRIES = 12
/** The same where the service itself says that all are finished: it is still scoring. */
const SCORING_TRIES = 60
/** An analysis that takes longer is told once, to who began it and to the organizers; it is looked at all the same. */
const SLOW_AFTER_MS = HOUR_MS
/** After a look has ended; a hold-up of all calls must not let out those that were due meanwhile at once. */
const LOOK_PAUSE_MS = 3_000

/** Has the analysis made and watches it; survives every restart, since it is a message like any other. */
export function createGenerationHandler(deps: {
  service: ServiceClient
  now: () => number
  pollMs: number
  random?: () => number
}): JobHandler {
  const { service, now, pollMs, random = Math.random } = deps
  const gate = { isTaken: false, freeAt: 0 }

  return async ({ body, work }) => {
    const job = body as GenerationJob
    const { s, onBehalf, phase } = job
    const file = (await guardCurrent(work, onBehalf)) ? await work.get(recordFiles, s) : undefined
    if (phase === 'leave' || !file) return leave(work, s)
    const token = file.token
    const tell = (event: ChatEvent) => postEvent(work, onBehalf, s, event)
    const then = (next: Partial<GenerationJob>, retryAt = now()): JobEnd => ({
      retryAt,
      retryBody: { s, onBehalf, phase, since: job.since, ...next },
      countsAsRetry: false,
    })
    const end = (event: ChatEvent): JobEnd => {
      tell(event)
      return then({ phase: 'leave' })
    }
    const refuse = (code: GenerationRefusal): JobEnd => end({ kind: 'generation-refused', code })
    const later = (): JobEnd => {
      const tries = (job.tries ?? 0) + 1
      return then({ tries }, now() + backOffMs(BACK_OFF_MS, tries))
    }

    async function start(): Promise<JobEnd> {
      try {
        const { status, estimated_wait_minutes: minutes } = await service.generate(token)
        if (status === 'completed') return end({ kind: 'generated' })
        tell({ kind: 'generating', ...(minutes ? { expectedMinutes: minutes } : {}) })
        return then({ phase: 'place', isFirst: true, since: now() })
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        if (error.code === 'billing') return refuse('billing')
        if (error.code === 'key_invalid') return refuse('key')
        if (error.code === 'not_found') return refuse('gone')
        if (error.status === 403) return whyForbidden()
        if (error.status === 409) return whyNotReady()
        // Refused in words that no waiting changes.
        return error.reached === 'yes' && error.code === 'bad_request' ? refuse('key') : later()
      }
    }

    /** A 403 that the roadmap itself does not share is about billing (spec, generate). */
    async function whyForbidden(): Promise<JobEnd> {
      try {
        await service.roadmap(token)
        return refuse('billing')
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        return error.status === 403 || error.status === 401 ? refuse('key') : later()
      }
    }

    /** A 409 while the last submission is still under way there: wait for it, then go on. */
    async function whyNotReady(): Promise<JobEnd> {
      try {
        const roadmap = await service.roadmap(token)
        if (roadmap.is_finished || roadmap.status === 1) return end({ kind: 'generated' })
        if (roadmap.auth_required) return refuse('unfinished')
        const isReady = roadmap.test_records.every((record) => record.is_finished || record.status === 1)
        return (job.tries ?? 0) < (isReady ? SCORING_TRIES : UNFINISHED_TRIES)
          ? later()
          : refuse('unfinished')
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        return error.code === 'not_found' ? refuse('gone') : later()
      }
    }

    async function look(): Promise<JobEnd> {
      if (gate.isTaken) return then({}, now() + 1_000)
      if (now() < gate.freeAt) return then({}, gate.freeAt)
      gate.isTaken = true
      try {
        return await lookOnce()
      } finally {
        gate.isTaken = false
        gate.freeAt = now() + LOOK_PAUSE_MS
      }
    }

    async function lookOnce(): Promise<JobEnd> {
      try {
        const { status, errors } = await service.generationStatus(token, { lane: 'background', once: true })
        if (status === 'completed') return end({ kind: 'generated' })
        if (status === 'failed') return end({ kind: 'generation-failed', errors })
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        if (error.status === 404 || error.status === 409) return whereIsIt()
      }
      return goOn()
    }

    /** Looks again later; what takes very long is told. */
    function goOn(): JobEnd {
      const isSlow = job.since !== undefined && now() - job.since > SLOW_AFTER_MS
      if (isSlow) tell({ kind: 'generation-slow' })
      return then({ phase: 'place', ...(isSlow && { since: undefined }) })
    }

    /** The analysis is not found: the roadmap tells whether it is finished, begun anew or gone. */
    async function whereIsIt(): Promise<JobEnd> {
      try {
        const roadmap = await service.roadmap(token, { lane: 'background' })
        if (roadmap.is_finished || roadmap.status === 1) return end({ kind: 'generated' })
        return roadmap.status === 4 ? goOn() : end({ kind: 'generation-failed', errors: [] })
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        return error.code === 'not_found' ? refuse('gone') : goOn()
      }
    }

    if (phase === 'start') return start()
    const schedule = (await work.get(lookSchedules, SCHEDULE)) ?? {}
    if (phase === 'place') {
      const at = nextLook(schedule, {
        s,
        now: now(),
        pollMs,
        isFirst: job.isFirst === true,
        random: random(),
      })
      keep(work, { ...schedule, [s]: at })
      return then({ phase: 'look' }, at)
    }
    const planned = schedule[s]
    if (planned !== undefined && isLate(planned, now())) {
      const at = placeFrom(schedule, s, now())
      keep(work, { ...schedule, [s]: at })
      return then({ phase: 'look' }, at)
    }
    return look()
  }

  function keep(work: UnitOfWork, schedule: LookSchedule): void {
    const current = Object.entries(schedule).filter(([, at]) => at > now() - DAY_MS)
    work.put(lookSchedules, SCHEDULE, Object.fromEntries(current), now() + DAY_MS)
  }

  async function leave(work: UnitOfWork, s: string): Promise<undefined> {
    const { [s]: own, ...others } = (await work.get(lookSchedules, SCHEDULE)) ?? {}
    if (own !== undefined) keep(work, others)
    return undefined
  }
}
