import { GrammyError, HttpError } from 'grammy'
import type { ApiError } from 'grammy/types'
import { errorCode } from '../observe/scrub.ts'

/** Codes of failures before anything was sent: the call did nothing and can be repeated. */
const UNREACHABLE = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|UND_ERR_CONNECT_TIMEOUT)$/

/** What Telegram says of an edit that changes nothing … */
export const NOT_MODIFIED = 'message is not modified'
/** … and what is made of that where an earlier try of the same call may have changed it. */
export const MODIFIED_BEFORE = `Bad Request: ${NOT_MODIFIED} since an earlier try`

/** The message shows this already: the edit is as good as done. */
export const isNotModified = (error: unknown): boolean => refused(error, 400, new RegExp(NOT_MODIFIED, 'i'))

/** The same, and it has shown this before we asked. */
export const isShownAlready = (error: unknown): boolean =>
  isNotModified(error) && !refused(error, 400, new RegExp(MODIFIED_BEFORE, 'i'))

/** The tap is too old to be answered: nobody waits for it any more. */
export const isQueryTooOld = (error: unknown): boolean =>
  refused(error, 400, /query is too old|query id is invalid/i)

/** The message cannot be edited or deleted any more: what it should say has to be sent anew. */
export const isMessageGone = (error: unknown): boolean =>
  refused(
    error,
    400,
    /message to (edit|delete) not found|message can't be (edited|deleted)|message_id_invalid/i,
  )

/** The person has blocked the bot or is gone: what is owed waits for their next /start. */
export const isBlocked = (error: unknown): boolean =>
  refused(error, 403, /^/) || refused(error, 400, /chat not found/i)

/** How long Telegram wants to be left alone, when it refused the call for that reason. */
export function askedPauseMs({ error_code, parameters }: ApiError): number | undefined {
  // At least a second, also where it says 0: whoever waits for it has to come to an end.
  return error_code === 429 ? Math.max(1, parameters?.retry_after ?? 1) * 1_000 : undefined
}

/** The same of a call that failed, where it failed for that reason. */
export const pauseMsOf = (error: unknown): number | undefined =>
  error instanceof GrammyError ? askedPauseMs(error) : undefined

/** Nothing was sent: Telegram, or the proxy before it, could not be reached. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof HttpError) return isUnreachable(error.error)
  if (error instanceof AggregateError) return error.errors.every(isUnreachable)
  if (!(error instanceof Error)) return false
  const code = errorCode(error)
  return UNREACHABLE.test(String(code)) || isProxyFailure(code, error) || isUnreachable(error.cause)
}

/** The proxy did not open the way, so nothing went through it. */
function isProxyFailure(code: unknown, { message }: Error): boolean {
  if (code === 'UND_ERR_ABORTED') return message.startsWith('Proxy response')
  return code === 'UND_ERR_PRX_TLS' || String(code).startsWith('UND_ERR_SOCKS5')
}

/** Perhaps it was done, perhaps not: repeating a `send*` may show the message twice. */
export function isUnclear(error: unknown): boolean {
  if (error instanceof GrammyError) return error.error_code >= 500
  return error instanceof HttpError && !isUnreachable(error)
}

/** A call that Telegram would refuse however often it came: our fault, not to be repeated. */
export const isRefused = (error: unknown): error is GrammyError =>
  error instanceof GrammyError && error.error_code < 500 && error.error_code !== 429

const refused = (error: unknown, code: number, words: RegExp): boolean =>
  error instanceof GrammyError && error.error_code === code && words.test(error.description)
