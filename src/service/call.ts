import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { backOffMs } from '../domain/durations.ts'
import { isFields } from '../domain/fields.ts'
import type { Breaker } from './breaker.ts'
import type { AcquireOptions, Budget } from './budget.ts'
import { answers, type DataOf, type Endpoint, type EndpointName, endpoints, type Lane } from './endpoints.ts'
import { classify } from './error-table.ts'
import { ServiceError, type ServiceErrorCode, UnwantedCall } from './errors.ts'
import type { HttpAnswer, HttpRequest, Transport } from './transport.ts'

/** How a call waits for its slot (see `AcquireOptions`; the signal also aborts the call), and is made. */
export type CallOptions = AcquireOptions & {
  lane?: Lane
  /** The account's name in the log. */
  trace?: string | undefined
  /** A person waits for it in the chat: it is among the first calls to reach a service that was down. */
  isAwaited?: true
  /** A check by the bot itself: it holds up no message while it is queued. */
  isLook?: true
  /** Makes a single request: the caller retries in its own time. */
  retries?: false
  /** Called with the slot, right before the request; a rejection cancels the call. */
  begin?: () => Promise<void>
  /** Called with the slot, before each request: `false` ends the call with `UnwantedCall`, unmade. */
  isWanted?: () => Promise<boolean>
}

/** One request, for logs and metrics. Without `code` it succeeded. */
export type CallEvent = {
  endpoint: EndpointName
  status?: number
  ms: number
  code?: ServiceErrorCode
  trace?: string
}

/** The parameters of a call: the token of a record or roadmap, the query and the body. */
type CallRequest = { token?: string; query?: unknown; body?: unknown }

/** Delays before the retries of a failed call. */
const STEPS_MS = [500, 1_000]
/** Retries after a 429; the budget pauses before each. */
const MOST_RATE_LIMITED = 5

export type CallDeps = {
  transport: Transport
  budget: Budget
  breaker: Breaker
  now: () => number
  sleep?: ((ms: number, signal?: AbortSignal) => Promise<unknown>) | undefined
  /** Called for every request. The event holds nothing personal. */
  onCall?: ((event: CallEvent) => void) | undefined
  /** Wraps the wait for a slot. */
  inLine?: (<T>(wait: () => Promise<T>) => Promise<T>) | undefined
  /** Called with the time that a call waited for its slot. */
  onSlot?: ((lane: Lane, waitedMs: number) => void) | undefined
}

/**
 * Makes a call: breaker, a slot of the budget for every attempt, and a retry only where that is safe. A call
 * that is not idempotent is retried only if it certainly did not reach the service; otherwise `reached:
 * 'unclear'` tells the caller to check first.
 */
export function createCall(deps: CallDeps) {
  const { budget, breaker, now, onSlot, inLine = (wait) => wait(), sleep = defaultSleep } = deps

  async function attempt<N extends EndpointName>(name: N, request: HttpRequest, options: CallOptions) {
    const { lane = 'participant', begin, isAwaited, isLook, isWanted } = options
    if (breaker.isOpen(isAwaited)) throw new ServiceError('unavailable', { reached: 'no' })
    const askedAt = now()
    const acquire = () => budget.acquire(lane, options)
    const slot = await (isLook ? acquire() : inLine(acquire))
    onSlot?.(lane, now() - askedAt)
    let made = false
    try {
      if (isWanted && !(await isWanted())) throw new UnwantedCall()
      return await breaker.run(async () => {
        await begin?.()
        made = true
        return exchange(deps, name, request, options)
      }, isAwaited)
    } finally {
      await (made ? slot.release() : slot.cancel())
    }
  }

  return async function call<N extends EndpointName>(
    name: N,
    wanted: CallRequest,
    options: CallOptions = {},
  ): Promise<DataOf<N>> {
    const request = toHttp(endpoints[name], wanted)
    let failed = 0
    let rateLimited = 0
    const askedAt = now()
    let waits: CallOptions = options
    for (;;) {
      let last: ServiceError
      try {
        return await attempt(name, request, waits)
      } catch (error) {
        // `no_slot`: the bot stops. The next process repeats calls that may be repeated.
        if (!(error instanceof ServiceError) || error.code === 'no_slot' || error.code === 'too_late')
          throw error
        last = error
      }
      // A retry keeps its waiting time, so that it does not go to the end of the queue.
      waits = { since: askedAt, ...options }
      if (last.code === 'rate_limited') {
        await budget.pause(last.retryAfterMs)
        rateLimited += 1
        if (options.retries === false || rateLimited > MOST_RATE_LIMITED) throw last
        continue
      }
      const isHarmless = last.reached === 'no' || (last.reached === 'unclear' && endpoints[name].idempotent)
      failed += 1
      if (options.retries === false || !isHarmless || breaker.isOpen() || failed > STEPS_MS.length) throw last
      await sleep(backOffMs(STEPS_MS, failed), options.signal)
    }
  }
}

/** Makes one request, reports it, and reads its reply. */
async function exchange<N extends EndpointName>(
  { transport, now, onCall }: CallDeps,
  name: N,
  request: HttpRequest,
  { signal, trace }: CallOptions,
): Promise<DataOf<N>> {
  const startedAt = now()
  const event: CallEvent = { endpoint: name, ms: 0, ...(trace !== undefined && { trace }) }
  try {
    const answer = await transport.send(request, signal)
    event.status = answer.status
    // A date in the reply is by the service's clock.
    const how = { sentExternalId: carriesExternalId(request.body), now: answer.date ?? now() }
    return readReply(name, answer, how)
  } catch (error) {
    if (error instanceof ServiceError) event.code = error.code
    throw error
  } finally {
    onCall?.({ ...event, ms: now() - startedAt })
  }
}

/** Builds the HTTP request; throws if the parameters break the specification, which is our mistake. */
function toHttp({ method, path, query, body }: Endpoint, wanted: CallRequest): HttpRequest {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query?.parse(wanted.query) ?? {}))
    if (value !== undefined) search.set(name, String(value))
  return {
    method,
    path:
      path.replace('{token}', () => encodeURIComponent(wanted.token ?? '')) +
      (search.size ? `?${search}` : ''),
    ...(body ? { body: body.parse(wanted.body) } : {}),
  }
}

/** Whether an auth body contains an external id, in its profile or in a role's. */
function carriesExternalId(body: unknown): boolean {
  if (!isFields(body)) return false
  const { external_id: id, roles } = body
  const inRole = (role: unknown) => isFields(role) && carriesExternalId(role.profile)
  return id !== undefined || (Array.isArray(roles) && roles.some(inRole))
}

async function defaultSleep(ms: number, signal?: AbortSignal) {
  await wait(ms, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted())
}

/** Spec, "Response envelope". */
const envelope = z.object({
  data: z.unknown().optional(),
  successful: z.boolean().nullish(),
  messages: z.unknown().optional().transform(readMessages),
})

/** Reads an answer of any status: returns the endpoint's data, or throws a `ServiceError` for it. */
export function readReply<N extends EndpointName>(
  endpoint: N,
  { status, retryAfter, text }: HttpAnswer,
  request: { sentExternalId: boolean; now: number },
): DataOf<N> {
  const body = parse(text)
  const messages = body?.messages ?? []
  const retryAfterMs = readRetryAfter(retryAfter, request.now)
  const refuse = (as: number) => {
    const code = classify({ endpoint, status: as, messages, sentExternalId: request.sentExternalId })
    // A rate-limited request had no effect.
    return new ServiceError(code, { reached: as === 429 ? 'no' : 'yes', status, messages, retryAfterMs })
  }

  if (status === 408 || status >= 500) {
    throw new ServiceError('unavailable', { reached: 'unclear', status, messages, retryAfterMs })
  }
  if (status >= 400) throw refuse(status)

  const unreadable = (cause?: unknown) =>
    new ServiceError('unreadable', { reached: 'unclear', status, cause })
  if (status >= 300 || !body) throw unreadable()
  if (body.successful === false) throw refuse(400)
  // Neither a success flag nor data: possibly a maintenance page.
  if (body.successful !== true && (typeof body.data !== 'object' || body.data === null)) throw unreadable()
  const data = answers[endpoint].data.safeParse(body.data)
  if (!data.success) throw unreadable(data.error)
  return data.data
}

function parse(text: string): z.infer<typeof envelope> | undefined {
  try {
    return envelope.parse(JSON.parse(text.replace(/^\uFEFF/, '')))
  } catch {
    return undefined
  }
}

function readMessages(messages: unknown): string[] {
  if (typeof messages === 'string') return [messages]
  if (typeof messages !== 'object' || messages === null) return []
  return Object.values(messages).flatMap(readMessages)
}

/** Reads seconds or an HTTP date; `undefined` for anything else, or a time in the past. */
function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const ms = /^\s*\d+(\.\d+)?\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return ms > 0 ? ms : undefined
}
