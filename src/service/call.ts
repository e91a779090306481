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

/** How a call waits for its slot (see `AcquireOptions`; the signal ends the call itself, too), and how it is made. */
export type CallOptions = AcquireOptions & {
  lane?: Lane
  /** What the log calls the account that it is about. */
  trace?: string | undefined
  /** Somebody looks at the chat for it: of a service that was down it is the first to find out. */
  isAwaited?: true
  /** The bot looks at the service for itself: no message in work waits in line with it. */
  isLook?: true
  /** One request and no more: the caller asks again in its own time. */
  retries?: false
  /** Has the slot, and the call is about to leave; one that rejects keeps it from leaving. */
  begin?: () => Promise<void>
  /** Asked when a slot has come, right before each request: a no ends the call with `UnwantedCall`, unmade. */
  isWanted?: () => Promise<boolean>
}

/** One request that was made; for logs and metrics. Without `code` it succeeded. */
export type CallEvent = {
  endpoint: EndpointName
  status?: number
  ms: number
  code?: ServiceErrorCode
  trace?: string
}

/** What a call carries: the record or roadmap it is about, and what the specification asks for. */
type CallRequest = { token?: string; query?: unknown; body?: unknown }

/** A call is repeated once for each of these, so long after a failure. */
const STEPS_MS = [500, 1_000]
/** How often a call is repeated after a 429; the budget pauses meanwhile. */
const MOST_RATE_LIMITED = 5

export type CallDeps = {
  transport: Transport
  budget: Budget
  breaker: Breaker
  now: () => number
  sleep?: ((ms: number, signal?: AbortSignal) => Promise<unknown>) | undefined
  /** Told of every request made. Holds nothing personal. */
  onCall?: ((event: CallEvent) => void) | undefined
  /** Who waits in line does it in here. */
  inLine?: (<T>(wait: () => Promise<T>) => Promise<T>) | undefined
  /** Told how long a call waited for its slot of the budget. */
  onSlot?: ((lane: Lane, waitedMs: number) => void) | undefined
}

/**
 * Makes a call: breaker, a slot of the budget for every attempt, and repetition only where it does no harm. What is
 * not idempotent is repeated only when it certainly did not reach the service; otherwise `reached: 'unclear'` tells
 * the caller to look first.
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
        // `no_slot`: the bot stops. Whatever was tried before may be repeated, and the next process does it.
        if (!(error instanceof ServiceError) || error.code === 'no_slot' || error.code === 'too_late')
          throw error
        last = error
      }
      // What is repeated has waited in line before, and does not go to its end.
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

/** Makes one request, tells of it, and reads its reply. */
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
    // A date that it names is one of its own clock.
    const how = { sentExternalId: carriesExternalId(request.body), now: answer.date ?? now() }
    return readReply(name, answer, how)
  } catch (error) {
    if (error instanceof ServiceError) event.code = error.code
    throw error
  } finally {
    onCall?.({ ...event, ms: now() - startedAt })
  }
}

/** Checks what is to be sent: a request that the specification does not know is a mistake of ours and throws. */
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

/** Whether the body of an auth call carries an external id, of its profile or of a role's. */
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

/** Reads an answer of any status: the endpoint's data, or a `ServiceError` that says what it was. */
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
    // A rate-limited request did nothing.
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
  // Neither a word of success nor anything of what it would bring: a page that is under maintenance, for all we know.
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

/** Seconds or an HTTP date; `undefined` when it says neither, or nothing that is to come. */
function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const ms = /^\s*\d+(\.\d+)?\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return ms > 0 ? ms : undefined
}
