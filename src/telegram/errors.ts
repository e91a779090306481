import { GrammyError, HttpError } from 'grammy'
import type { ApiError } from 'grammy/types'
import { errorCode } from '../observe/scrub.ts'

/** Error codes from before anything was sent: the call had no effect and can be repeated. */
const UNREACHABLE = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|UND_ERR_CONNECT_TIMEOUT)$/

/** Telegram's error for an edit that changes nothing. */
export const NOT_MODIFIED = 'message is not modified'
/** Replaces that error if an earlier try of the same call may have made the change. */
export const MODIFIED_BEFORE = `Bad Request: ${NOT_MODIFIED} since an earlier try`

/** The message already shows this: the edit counts as done. */
export const isNotModified = (error: unknown): boolean => refused(error, 400, new RegExp(NOT_MODIFIED, 'i'))

/** The same, and no earlier try of ours can have made the change. */
export const isShownAlready = (error: unknown): boolean =>
  isNotModified(error) && !refused(error, 400, new RegExp(MODIFIED_BEFORE, 'i'))

/** The tap is too old to be answered: no client waits for it. */
export const isQueryTooOld = (error: unknown): boolean =>
  refused(error, 400, /query is too old|query id is invalid/i)

/** The message can no longer be edited or deleted: its content must be sent as a new message. */
export const isMessageGone = (error: unknown): boolean =>
  refused(
    error,
    400,
    /message to (edit|delete) not found|message can't be (edited|deleted)|message_id_invalid/i,
  )

/** The person has blocked the bot or is gone: deliveries wait for the next /start. */
export const isBlocked = (error: unknown): boolean =>
  refused(error, 403, /^/) || refused(error, 400, /chat not found/i)

/** The pause that Telegram asks for, if it refused the call for that reason. */
export function askedPauseMs({ error_code, parameters }: ApiError): number | undefined {
  // At least a second, even if Telegram says 0, so that the patience of a caller runs out.
  return error_code === 429 ? Math.max(1, parameters?.retry_after ?? 1) * 1_000 : undefined
}

/** The same for an error. */
export const pauseMsOf = (error: unknown): number | undefined =>
  error instanceof GrammyError ? askedPauseMs(error) : undefined

/** Nothing was sent: Telegram, or the proxy, could not be reached. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof HttpError) return isUnreachable(error.error)
  if (error instanceof AggregateError) return error.errors.every(isUnreachable)
  if (!(error instanceof Error)) return false
  const code = errorCode(error)
  return UNREACHABLE.test(String(code)) || isProxyFailure(code, error) || isUnreachable(error.cause)
}

/** The proxy opened no connection, so nothing was sent through it. */
function isProxyFailure(code: unknown, { message }: Error): boolean {
  if (code === 'UND_ERR_ABORTED') return message.startsWith('Proxy response')
  return code === 'UND_ERR_PRX_TLS' || String(code).startsWith('UND_ERR_SOCKS5')
}

/** The call may have been carried out: repeating a `send*` may show the message twice. */
export function isUnclear(error: unknown): boolean {
  if (error instanceof GrammyError) return error.error_code >= 500
  return error instanceof HttpError && !isUnreachable(error)
}

/** A call that Telegram would always refuse: our mistake, not to be repeated. */
export const isRefused = (error: unknown): error is GrammyError =>
  error instanceof GrammyError && error.error_code < 500 && error.error_code !== 429

const refused = (error: unknown, code: number, words: RegExp): boolean =>
  error instanceof GrammyError && error.error_code === code && words.test(error.description)
