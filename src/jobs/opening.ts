import { z } from 'zod'
import type { Config } from '../config.ts'
import { HOUR_MS } from '../domain/durations.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { afterQuietHours } from '../domain/reminding.ts'
import { recordFiles } from '../kept/documents.ts'
import { onBehalf } from '../kept/owed-result.ts'
import { postEvent } from '../mail/chat-message.ts'
import { guardCurrent } from '../mail/current.ts'
import { job } from '../mail/job.ts'
import type { ServiceClient } from '../service/client.ts'
import { ServiceError } from '../service/errors.ts'
import { type Handler, handler } from './task.ts'

export const FIRST_WAIT_MS = 10 * 60_000
const LONGEST_WAIT_MS = 2 * HOUR_MS
const GROWTH = 1.5

/** Watches for what waits for the organizer (status 0), with growing pauses, until a time. By the `S` and the account. */
export const openingJob = job(
  'opening',
  z.object({ s: z.string(), onBehalf, waitMs: z.number(), until: z.number() }),
)

/** Looks slowly, by day, at what waits for the organizer and tells the chat when it has been opened. */
export function createOpeningHandler(deps: {
  service: ServiceClient
  config: Pick<Config, 'quietHours'>
  now: () => number
}): Handler {
  const { service, config, now } = deps

  return handler(openingJob, async ({ body, work, trace }) => {
    const { s, onBehalf, waitMs, until } = body
    const file = (await guardCurrent(work, onBehalf)) ? await work.get(recordFiles, s) : undefined
    if (!file || !isIn(file, 'waiting', 'intro') || now() > until) return undefined
    const morning = afterQuietHours(config.quietHours, now())
    if (morning > now()) return { retryAt: morning, countsAsRetry: false }
    // Another account that waited for it may have been faster.
    if (isIn(file, 'intro') || (await isOpened(service, file, trace))) {
      postEvent(work, onBehalf, s, { kind: 'opened' })
      return undefined
    }
    const next = Math.min(waitMs * GROWTH, LONGEST_WAIT_MS)
    return { retryAt: now() + next, retryBody: { ...body, waitMs: next }, countsAsRetry: false }
  })
}

/** Whether it does not wait any more, as far as can be seen. */
async function isOpened(service: ServiceClient, { token, roadmap }: RecordFile, trace: string) {
  const how = { lane: 'background', trace } as const
  try {
    const { status } = await (roadmap ? service.roadmap(token, how) : service.record(token, how))
    return status !== 0
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return false
  }
}
