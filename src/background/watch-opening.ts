import type { Config } from '../config.ts'
import { afterQuietHours } from '../domain/reminding.ts'
import type { ServiceClient } from '../service/client.ts'
import { ServiceError } from '../service/errors.ts'
import type { OnBehalf } from './actors.ts'
import { recordFiles } from './kinds.ts'
import { guardCurrent } from './on-behalf.ts'
import { postEvent } from './post-event.ts'
import type { JobHandler } from './worker.ts'

export type OpeningJob = { s: string; onBehalf: OnBehalf; waitMs: number; until: number }

export const FIRST_WAIT_MS = 10 * 60_000
const LONGEST_WAIT_MS = 2 * 3_600_000

/** Looks slowly, by day, at what waits for the organizer (status 0) and tells the chat when it has been opened. */
export function createOpeningHandler(deps: {
  service: ServiceClient
  config: Pick<Config, 'quietHours'>
  now: () => number
}): JobHandler {
  const { service, config, now } = deps

  return async ({ body, work }) => {
    const job = body as OpeningJob
    const { s, onBehalf, waitMs, until } = job
    if (!onBehalf || !(await guardCurrent(work, onBehalf))) return undefined
    const file = await work.get(recordFiles, s)
    if (file?.stage !== 'waiting' || now() > until) return undefined
    const morning = afterQuietHours(config.quietHours, now())
    if (morning > now()) return { retryAt: morning, countsAsRetry: false }
    try {
      const how = { lane: 'background' } as const
      const { status } = await (file.roadmap
        ? service.roadmap(file.token, how)
        : service.record(file.token, how))
      if (status !== 0) {
        postEvent(work, onBehalf, s, { kind: 'opened' })
        return undefined
      }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
    }
    const next = Math.min(waitMs * 1.5, LONGEST_WAIT_MS)
    return { retryAt: now() + next, retryBody: { ...job, waitMs: next }, countsAsRetry: false }
  }
}
