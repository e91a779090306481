import type { Transformer } from 'grammy'
import type { ApiError, ApiResponse } from 'grammy/types'
import { backOffMs } from '../domain/durations.ts'
import { askedPauseMs, isUnreachable, MODIFIED_BEFORE, NOT_MODIFIED } from './errors.ts'
import { createPacing, type PacingKey } from './pacing.ts'
import { fromGrammy, type GrammySignal } from './signal.ts'

type TelegramOutcome = 'ok' | 'refused' | 'blocked' | 'rate_limited' | 'unclear' | 'unreachable'

/** One request to Telegram, as metrics count it: a repeated call is several. */
export type TelegramCall = { method: string; outcome: TelegramOutcome; ms: number }

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
export function createRetry({
  now,
  sleep,
  onCall,
}: {
  now: () => number
  sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>
  onCall?: ((call: TelegramCall) => void) | undefined
}): Transformer {
  const pacing = createPacing(now)
  const wait = (ms: number, signal: GrammySignal | undefined) => sleep(ms, signal && fromGrammy(signal))
  const attempt = <T>(call: Call<T>) => reported(call, now, onCall)

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
      if (askedMs === undefined) {
        pacing.accept(key)
        return call.mayBeDone ? doneBefore(answer) : answer
      }
      pacing.pause(key, askedMs)
    }
  }
}

/** Makes a call, tells what came of it, and notes in it whether it may have been carried out all the same. */
async function reported<T>(
  call: Call<T>,
  now: () => number,
  onCall: ((call: TelegramCall) => void) | undefined,
): Promise<ApiResponse<T>> {
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
function pacingKey(method: string, payload: object): PacingKey {
  const key = 'chat_id' in payload ? payload.chat_id : method
  return typeof key === 'number' ? key : String(key)
}

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
