import type { Transformer } from 'grammy'
import type { ApiError, ApiResponse } from 'grammy/types'
import { backOffMs } from '../domain/durations.ts'
import { askedPauseMs, isUnreachable, MODIFIED_BEFORE, NOT_MODIFIED } from './errors.ts'
import { fromGrammy, type GrammySignal } from './transport.ts'

type TelegramOutcome = 'ok' | 'refused' | 'blocked' | 'rate_limited' | 'unclear' | 'unreachable'

/** One request to Telegram, for metrics: a retried call is several. */
export type TelegramCall = { method: string; outcome: TelegramOutcome; ms: number }

export type RetryOptions = {
  now: () => number
  /** Replaced by tests in virtual time. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>
  onCall?: ((call: TelegramCall) => void) | undefined
}

type Call<T> = {
  method: string
  signal: GrammySignal | undefined
  act: () => Promise<ApiResponse<T>>
  /** An earlier try failed and may have been carried out. */
  mayBeDone: boolean
}

/** Repeating these is harmless. The poller retries getUpdates itself. */
const HARMLESS = /^(?:edit|answerCallbackQuery$|delete|set|get(?!Updates)|sendChatAction$)/
const STEPS_MS = [500, 2_000]
/** A call's total wait for `retry_after`: `alone`, or of a `task`, which has a signal and can be retried. */
const PATIENCE_MS = { alone: 60_000, task: 2_000 }

/**
 * Paces and retries the calls of a client. A call refused with 429 waits and is retried within its patience.
 * Harmless calls are retried after other failures, too, and a `send*` only if it certainly did not arrive.
 */
export function createRetry(options: RetryOptions): Transformer {
  const pacing = createPacing(options.now)
  const wait = (ms: number, signal: GrammySignal | undefined) => options.sleep(ms, fromGrammy(signal))
  const attempt = <T>(call: Call<T>) => reported(call, options)

  /** Retries a call where that is allowed; the last failure goes to the caller. */
  async function persist<T>(call: Call<T>): Promise<ApiResponse<T>> {
    const { method, signal } = call
    for (let tries = 1; tries <= STEPS_MS.length; tries += 1) {
      try {
        const answer = await attempt(call)
        if (answer.ok || answer.error_code < 500 || !HARMLESS.test(method)) return answer
      } catch (error) {
        const again = HARMLESS.test(method) || (isUnreachable(error) && method !== 'getUpdates')
        if (signal?.aborted || !again) throw error
      }
      await wait(backOffMs(STEPS_MS, tries), signal)
    }
    return attempt(call)
  }

  return async (prev, method, payload, signal) => {
    const call = { method, signal, act: () => prev(method, payload, signal), mayBeDone: false }
    const key = pacingKey(method, payload)
    let patienceMs = signal ? PATIENCE_MS.task : PATIENCE_MS.alone
    for (;;) {
      const pauseMs = pacing.waitMs(key)
      if (pauseMs > patienceMs) return tooManyRequests(pauseMs)
      if (pauseMs > 0) await wait(pauseMs, signal)
      patienceMs -= pauseMs
      const answer = await persist(call)
      const askedMs = answer.ok ? undefined : askedPauseMs(answer)
      if (askedMs === undefined) return call.mayBeDone ? doneBefore(answer) : answer
      pacing.pause(key, askedMs)
    }
  }
}

/** Makes a call, reports its outcome, and notes whether a failed call may have been carried out. */
async function reported<T>(call: Call<T>, { now, onCall }: RetryOptions): Promise<ApiResponse<T>> {
  const { method, signal, act } = call
  const startedAt = now()
  const report = (outcome: TelegramOutcome) => onCall?.({ method, outcome, ms: now() - startedAt })
  try {
    const answer = await act()
    const outcome = outcomeOf(answer)
    report(outcome)
    if (outcome === 'unclear') call.mayBeDone = true
    return answer
  } catch (error) {
    if (!isUnreachable(error)) call.mayBeDone = true
    // An aborted long poll is no failure.
    if (!signal?.aborted) report(isUnreachable(error) ? 'unreachable' : 'unclear')
    throw error
  }
}

/** The chat, or the method for calls without one. */
const pacingKey = (method: string, payload: object): string =>
  'chat_id' in payload ? String(payload.chat_id) : method

/** Telegram's refusal, without a request: a call during the pause would prolong it. */
function tooManyRequests(pauseMs: number): ApiError {
  const retryAfter = Math.ceil(pauseMs / 1000)
  const description = `Too Many Requests: retry after ${retryAfter}`
  return { ok: false, error_code: 429, description, parameters: { retry_after: retryAfter } }
}

/** An edit that changes nothing after a try with an unknown outcome: that try made the change. */
function doneBefore<T>(answer: ApiResponse<T>): ApiResponse<T> {
  if (answer.ok || !answer.description.includes(NOT_MODIFIED)) return answer
  return { ...answer, description: MODIFIED_BEFORE }
}

function outcomeOf(answer: ApiResponse<unknown>): TelegramOutcome {
  if (answer.ok) return 'ok'
  if (answer.error_code === 429) return 'rate_limited'
  if (answer.error_code === 403) return 'blocked'
  return answer.error_code >= 500 ? 'unclear' : 'refused'
}

/** Remembers the pauses that Telegram asked for, by key. */
function createPacing(now: () => number) {
  const pauses = new Map<string, number>()

  return {
    /** The wait of a call with this key, in milliseconds. */
    waitMs(key: string): number {
      if (pauses.size === 0) return 0 // nearly always: the hot path pays nothing
      const at = now()
      for (const [paused, until] of pauses) if (until <= at) pauses.delete(paused)
      return (pauses.get(key) ?? at) - at
    },
    /** Telegram refused a call with this key for `retryAfterMs`. */
    pause(key: string, retryAfterMs: number): void {
      pauses.set(key, Math.max(pauses.get(key) ?? 0, now() + retryAfterMs))
    },
  }
}
