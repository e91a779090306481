import type { Transformer } from 'grammy'
import type { ApiError, ApiResponse } from 'grammy/types'
import { backOffMs } from '../domain/durations.ts'
import { askedPauseMs, isUnreachable, MODIFIED_BEFORE, NOT_MODIFIED } from './errors.ts'
import { fromGrammy, type GrammySignal } from './transport.ts'

type TelegramOutcome = 'ok' | 'refused' | 'blocked' | 'rate_limited' | 'unclear' | 'unreachable'

/** One request to Telegram, as metrics count it: a repeated call is several. */
export type TelegramCall = { method: string; outcome: TelegramOutcome; ms: number }

export type RetryOptions = {
  now: () => number
  /** Waits, for tests in virtual time. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>
  onCall?: ((call: TelegramCall) => void) | undefined
}

type Call<T> = {
  method: string
  signal: GrammySignal | undefined
  act: () => Promise<ApiResponse<T>>
  /** An earlier try failed, and may have been carried out. */
  mayBeDone: boolean
}

/** Repeating these changes nothing. The poller repeats getUpdates by its own rules. */
const HARMLESS = /^(?:edit|answerCallbackQuery$|delete|set|get(?!Updates)|sendChatAction$)/
const STEPS_MS = [500, 2_000]
/** All the waiting that one call may do for Telegram's `retry_after`; a caller with a signal can come again later. */
const PATIENCE_MS = { alone: 60_000, task: 2_000 }

/**
 * Paces and repeats the calls of a client. One refused with 429 waits and is repeated, as long as the patience lasts; harmless
 * ones are repeated after failures as well, a `send*` only when it surely did not arrive.
 */
export function createRetry(options: RetryOptions): Transformer {
  const pacing = createPacing(options.now)
  const wait = (ms: number, signal: GrammySignal | undefined) => options.sleep(ms, fromGrammy(signal))
  const attempt = <T>(call: Call<T>) => reported(call, options)

  /** Repeats what may be repeated after a failure; the last failure is the caller's. */
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

/** Makes a call, tells what came of it, and notes in it whether it may have been carried out all the same. */
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
    // Ending a long poll is no failure.
    if (!signal?.aborted) report(isUnreachable(error) ? 'unreachable' : 'unclear')
    throw error
  }
}

/** The chat, or the method where there is none. */
const pacingKey = (method: string, payload: object): string =>
  'chat_id' in payload ? String(payload.chat_id) : method

/** What Telegram would say again, said without asking: a call against its wish prolongs the pause. */
function tooManyRequests(pauseMs: number): ApiError {
  const retryAfter = Math.ceil(pauseMs / 1000)
  const description = `Too Many Requests: retry after ${retryAfter}`
  return { ok: false, error_code: 429, description, parameters: { retry_after: retryAfter } }
}

/** An edit that changes nothing after a try whose outcome is not known was that try's. */
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

/** Remembers whom Telegram asked to be left alone, and until when. */
function createPacing(now: () => number) {
  const pauses = new Map<string, number>()

  return {
    /** How long a call with this key has to wait, in milliseconds. */
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
