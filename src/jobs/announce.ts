import { createHmac, randomUUID } from 'node:crypto'
import { request } from 'undici'
import { z } from 'zod'
import { isLoopback } from '../config.ts'
import { backOffMs, DAY_MS } from '../domain/durations.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { roleOf } from '../domain/roadmap.ts'
import { epochOf, type Handler, handler, isCurrent, job } from '../queue/job.ts'
import { createDispatcher } from '../service/dispatcher.ts'
import { onBehalfSchema, recordFiles, tokenKey } from '../storage/documents/kinds.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import type { JobDeps, With } from './deps.ts'

/** What organizers' own software is sent, under the names of docs/organizers.md. */
const event = z.object({
  id: z.string(),
  type: z.enum(['opened', 'begun', 'submitted', 'delivered', 'analysed', 'failed', 'stuck']),
  at: z.string(),
  kind: z.enum(['record', 'roadmap']),
  token: z.string(),
  external_id: z.number().nullable(),
})

/** An event to be posted, or nothing. Keyed by the hash of the token, so that its events stay in order. */
const announceJob = job(
  'event',
  z.union([
    z.object({
      event,
      since: z.number(),
      tries: z.number(),
      /** The account whose act or result is announced; earlier versions did not note it. */
      onBehalf: onBehalfSchema.pick({ who: true, epoch: true }).optional(),
    }),
    z.object({ isOver: z.literal(true) }),
  ]),
)

export type AnnounceDeps = Pick<JobDeps, 'now'> & With<'eventsUrl'>

/** Announces, for an account, what became of a record or roadmap: never a name, mobile, answer or result. */
export async function announce(
  { config, now }: AnnounceDeps,
  work: UnitOfWork,
  { token, roadmap, parent, externalId }: RecordFile,
  type: z.infer<typeof event>['type'],
  who: string | undefined,
): Promise<void> {
  if (config.eventsUrl === undefined) return
  const whole = parent && (await work.get(recordFiles, parent.s))
  const role = roleOf(whole?.roadmap, parent?.role)
  const at = now()
  announceJob.post(work, tokenKey(work.vault, token), {
    event: {
      id: randomUUID(),
      type,
      at: new Date(at).toISOString(),
      kind: roadmap ? 'roadmap' : 'record',
      token,
      external_id: externalId ?? role?.externalId ?? null,
    },
    since: at,
    tries: 0,
    onBehalf: who === undefined ? undefined : { who, epoch: await epochOf(work, who) },
  })
}

/** Drops the waiting events of a forgotten account. */
export const endAnnouncements = (work: UnitOfWork, { token }: RecordFile): void =>
  announceJob.post(work, tokenKey(work.vault, token), { isOver: true }, { replace: true })

const BACK_OFF_MS = [1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000]
const LONGEST_MS = 3 * DAY_MS
const TIMEOUT_MS = 10_000

/** Posts events, signed; one that gets no 2xx is retried with growing pauses, for three days. */
export function createAnnounceHandler({
  config,
  now,
  log,
  ...kept
}: Pick<JobDeps, 'store' | 'vault' | 'now' | 'log'> &
  With<'eventsUrl' | 'eventsSecret' | 'httpProxyUrl'>): Handler {
  const isHere = isLoopback(new URL(config.eventsUrl ?? 'https://none').host)
  // An event to this machine is not encrypted, so no proxy may carry it.
  const proxyUrl = isHere ? undefined : config.httpProxyUrl
  const dispatcher = createDispatcher({ proxyUrl, connectMs: 10_000 })

  async function post(url: string, secrets: readonly string[], body: string): Promise<boolean> {
    const sentAt = new Date(now()).toISOString()
    try {
      const { statusCode, body: reply } = await request(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-porsa-signature': signatures(secrets, body),
          'x-porsa-sent': sentAt,
          'x-porsa-sent-signature': signatures(secrets, `${sentAt}.${body}`),
        },
        body,
        dispatcher,
        // No connection is kept open between two events.
        reset: true,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      await reply.dump()
      return statusCode >= 200 && statusCode < 300
    } catch {
      return false
    }
  }

  return handler(announceJob, async (task) => {
    const { body } = task
    const { eventsUrl: url, eventsSecret: secrets } = config
    if ('isOver' in body || url === undefined || secrets === undefined) return undefined
    const { event, tries, onBehalf } = body
    // The three days begin at the first try: before it the event waited for another one, or for this process.
    const since = tries > 0 ? body.since : now()
    if (onBehalf && !(await isCurrent(kept, onBehalf))) return undefined
    if (await post(url, secrets, JSON.stringify(event))) return undefined
    const retryAt = now() + backOffMs(BACK_OFF_MS, tries + 1)
    if (retryAt - since > LONGEST_MS) {
      log.warn({ kind: event.type }, 'event given up')
      return undefined
    }
    return { retryAt, retryBody: { ...body, since, tries: tries + 1 } }
  })
}

/** One signature for each secret: while a secret is replaced, a receiver knows one of them. */
const signatures = (secrets: readonly string[], text: string): string =>
  secrets.map((secret) => `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`).join(', ')
