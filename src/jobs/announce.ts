import { createHmac, randomUUID } from 'node:crypto'
import { request } from 'undici'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { backOffMs } from '../domain/back-off.ts'
import { DAY_MS } from '../domain/durations.ts'
import type { RecordFile } from '../domain/record/record.ts'
import type { Log } from '../observe/logger.ts'
import { job } from '../queue/job.ts'
import { type Handler, handler } from '../queue/task.ts'
import { createDispatcher } from '../service/dispatcher.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import type { Vault } from '../storage/vault.ts'

const TYPES = ['opened', 'begun', 'submitted', 'delivered', 'analysed', 'failed', 'stuck'] as const
type EventType = (typeof TYPES)[number]

/** What organizers' own software is told, under the names of docs/organizers.md. */
const event = z.object({
  id: z.string(),
  type: z.enum(TYPES),
  at: z.string(),
  kind: z.enum(['record', 'roadmap']),
  token: z.string(),
  external_id: z.number().nullable(),
})

/** An event on its way. By the token's keyed hash, so that those of one token arrive in order. */
const announceJob = job('event', z.object({ event, since: z.number(), tries: z.number() }))

export type AnnounceDeps = {
  config: Pick<Config, 'eventsUrl'>
  vault: Pick<Vault, 'hash'>
  now: () => number
}

/** Has an organizer's software told what became of a record or roadmap: never a name, mobile, answer or result. */
export function announce(
  { config, vault, now }: AnnounceDeps,
  work: Pick<UnitOfWork, 'post'>,
  { token, roadmap, externalId }: Pick<RecordFile, 'token' | 'roadmap' | 'externalId'>,
  type: EventType,
): void {
  if (config.eventsUrl === undefined) return
  const at = now()
  announceJob.post(work, vault.hash('token', token), {
    event: {
      id: randomUUID(),
      type,
      at: new Date(at).toISOString(),
      kind: roadmap ? 'roadmap' : 'record',
      token,
      external_id: externalId ?? null,
    },
    since: at,
    tries: 0,
  })
}

const BACK_OFF_MS = [1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000]
const LONGEST_MS = 3 * DAY_MS
const TIMEOUT_MS = 10_000

/** Posts events, signed; whatever is not answered by a 2xx comes again with growing pauses, for three days. */
export function createAnnounceHandler(deps: {
  config: Pick<Config, 'eventsUrl' | 'eventsSecret' | 'httpProxyUrl'>
  now: () => number
  log: Log
}): Handler {
  const { config, now, log } = deps
  const dispatcher = createDispatcher({ proxyUrl: config.httpProxyUrl, connectMs: 10_000 })

  async function post(url: string, secret: string, body: string): Promise<boolean> {
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    try {
      const { statusCode, body: reply } = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-porsa-signature': `sha256=${signature}` },
        body,
        dispatcher,
        // Nothing is kept open between two events.
        reset: true,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      await reply.dump()
      return statusCode >= 200 && statusCode < 300
    } catch {
      return false
    }
  }

  return handler(announceJob, async ({ body }) => {
    const { event, since, tries } = body
    const { eventsUrl: url, eventsSecret: secret } = config
    if (url === undefined || secret === undefined) return undefined
    if (await post(url, secret, JSON.stringify(event))) return undefined
    const retryAt = now() + backOffMs(BACK_OFF_MS, tries + 1)
    if (retryAt - since > LONGEST_MS) {
      log.warn({ kind: event.type }, 'event given up')
      return undefined
    }
    return { retryAt, retryBody: { ...body, tries: tries + 1 } }
  })
}
