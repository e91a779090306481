import { setTimeout as delay } from 'node:timers/promises'
import { Api } from 'grammy'
import { type Dispatcher, request } from 'undici'
import { createDispatcher } from './dispatcher.ts'
import { isUnreachable } from './errors.ts'
import { createPacing } from './pacing.ts'

export type TelegramOutcome = 'ok' | 'refused' | 'blocked' | 'rate_limited' | 'unclear' | 'unreachable'

/** One request to Telegram, as metrics count it: a repeated call is several. */
export type TelegramCall = { method: string; outcome: TelegramOutcome; ms: number }

export type TelegramClientOptions = {
  token: string
  apiRoot: string
  proxyUrl?: string | undefined
  now: () => number
  onCall?: ((call: TelegramCall) => void) | undefined
  /** Waits, for tests in virtual time. */
  sleep?: ((ms: number, signal?: AbortSignal) => Promise<unknown>) | undefined
}

type Sent = { method: string; headers: Record<string, string>; body: string | Buffer; signal: AbortSignal }
type Body = { ok: boolean; error_code?: number; description?: string; parameters?: { retry_after?: number } }
type Answer = { status: number; body: Body }

/** Repeating these changes nothing. The poller repeats getUpdates by its own rules. */
const harmless = /^(?:edit|answerCallbackQuery$|delete|set|get(?!Updates)|sendChatAction$)/
const backOffMs = [500, 2000]
/** All the waiting that one call may do for Telegram's `retry_after`. */
const patienceMs = 60_000
const timeoutMs = { call: 15_000, upload: 60_000, getUpdates: 60_000 }

/**
 * The Bot API over undici. A call refused with 429 waits and is repeated (60 s in all), harmless ones are repeated
 * after failures as well; a `send*` only when it surely did not arrive.
 */
export function createTelegramClient(options: TelegramClientOptions): Api {
  const { token, apiRoot, proxyUrl, now, onCall, sleep = wait } = options
  const dispatcher = createDispatcher(proxyUrl)
  const pacing = createPacing(now)

  async function attempt(url: string, sent: Sent): Promise<Answer> {
    const startedAt = now()
    const report = (outcome: TelegramOutcome) =>
      onCall?.({ method: sent.method, outcome, ms: now() - startedAt })
    try {
      const answer = await post(dispatcher, url, sent)
      report(outcomeOf(answer))
      return answer
    } catch (error) {
      // Ending a long poll is no failure.
      if (!sent.signal.aborted) report(isUnreachable(error) ? 'unreachable' : 'unclear')
      throw error
    }
  }

  /** Repeats what may be repeated after a failure; the last failure is the caller's. */
  async function persist(url: string, sent: Sent): Promise<Answer> {
    for (const backOff of backOffMs) {
      try {
        const answer = await attempt(url, sent)
        if (answer.status < 500 || !harmless.test(sent.method)) return answer
      } catch (error) {
        const again = harmless.test(sent.method) || (isUnreachable(error) && sent.method !== 'getUpdates')
        if (sent.signal.aborted || !again) throw error
      }
      await sleep(backOff, sent.signal)
    }
    return attempt(url, sent)
  }

  async function call(url: string, sent: Sent): Promise<Answer> {
    let patience = patienceMs
    for (;;) {
      const key = pacingKey(sent)
      const pauseMs = pacing.waitMs(key)
      if (pauseMs > patience) return tooManyRequests(pauseMs)
      if (pauseMs > 0) await sleep(pauseMs, sent.signal)
      patience -= pauseMs
      const answer = await persist(url, sent)
      if (answer.status !== 429) return answer
      pacing.pause(key, (answer.body.parameters?.retry_after ?? 1) * 1000)
    }
  }

  const fetch = async (url: string, init: RequestInit) => {
    const sent = await prepare(url, init)
    const { body } = await call(url, sent)
    return { json: async () => body }
  }
  // grammY asks of `fetch` no more than this; its own time limit only has to outlast all our waiting.
  return new Api(token, { apiRoot, fetch: fetch as never, timeoutSeconds: 500 })
}

async function prepare(url: string, init: RequestInit): Promise<Sent> {
  const signal = init.signal as AbortSignal
  const method = url.slice(url.lastIndexOf('/') + 1)
  const { 'content-type': type = 'application/json' } = init.headers as Record<string, string>
  if (typeof init.body === 'string')
    return { method, headers: { 'content-type': type }, body: init.body, signal }
  // An upload arrives as a stream, which could be sent only once.
  const chunks: Uint8Array[] = []
  for await (const chunk of init.body as unknown as AsyncIterable<Uint8Array>) chunks.push(chunk)
  if (signal.aborted) throw new Error('The upload could not be read')
  return { method, headers: { 'content-type': type }, body: Buffer.concat(chunks), signal }
}

async function post(dispatcher: Dispatcher, url: string, sent: Sent): Promise<Answer> {
  const limitMs =
    sent.method === 'getUpdates'
      ? timeoutMs.getUpdates
      : timeoutMs[sent.body instanceof Buffer ? 'upload' : 'call']
  const { statusCode, body } = await request(url, {
    dispatcher,
    method: 'POST',
    headers: sent.headers,
    body: sent.body,
    signal: sent.signal,
    headersTimeout: limitMs,
    bodyTimeout: limitMs,
  })
  const answer = parse(await body.text(), statusCode)
  return { status: answer.ok ? 200 : (answer.error_code ?? statusCode), body: answer }
}

/** A gateway's page of HTML says nothing about what happened, so it is an error like a lost connection. */
function parse(text: string, status: number): Body {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && 'ok' in body) return body as Body
  } catch {
    // falls through: the text itself may hold anything, so it is not repeated in the error
  }
  throw new Error(`Telegram gave an unreadable answer with status ${status}`)
}

/** What Telegram would say again, said without asking: a call against its wish prolongs the pause. */
function tooManyRequests(pauseMs: number): Answer {
  const retryAfter = Math.ceil(pauseMs / 1000)
  const description = `Too Many Requests: retry after ${retryAfter}`
  const parameters = { retry_after: retryAfter }
  return { status: 429, body: { ok: false, error_code: 429, description, parameters } }
}

function outcomeOf({ status, body }: Answer): TelegramOutcome {
  if (body.ok) return 'ok'
  if (status === 429) return 'rate_limited'
  if (status === 403) return 'blocked'
  return status >= 500 ? 'unclear' : 'refused'
}

/** The chat, or the method where there is none. Inside a JSON string the quotes would be escaped. */
function pacingKey({ method, body }: Sent): string {
  const text = typeof body === 'string' ? body : body.subarray(0, 2000).toString('latin1')
  return /(?:"chat_id":"?|name="chat_id"\r\n\r\n)(-?\d+)/.exec(text)?.[1] ?? method
}

function wait(ms: number, signal?: AbortSignal): Promise<unknown> {
  return delay(ms, undefined, signal ? { signal } : {})
}
