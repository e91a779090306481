import type { Unshown } from '../domain/questionnaire.ts'

/**
 * Every way in which a call can fail, as a literal:
 *
 * - `forbidden`: any 403, and a refusal for want of a profile; reading the record tells why (key, profile, billing)
 * - `finished_or_gone`: the roadmap is finished, or was never there
 * - `role_mismatch`: age or gender does not fit the role
 * - `unavailable`: refused, reset, timed out, 5xx, or the breaker is open
 * - `unreadable`: an answer that is not what the specification promises
 * - `no_slot`: the bot stops, and the call gives up its place in line without having been made (`unclear`: without having
 *   seen what has become of it)
 * - `too_late`: the call waited in line until it was worth nothing, and was not made
 */
export const serviceErrorCodes = [
  'key_invalid',
  'forbidden',
  'billing',
  'not_found',
  'finished_or_gone',
  'belongs_to_roadmap',
  'external_id_taken',
  'already_finished',
  'not_finished',
  'mobile_limit',
  'profile_invalid',
  'role_mismatch',
  'draft_expired',
  'code_wrong',
  'sms_not_required',
  'not_ready_to_generate',
  'questions_unreadable',
  'bad_request',
  'rate_limited',
  'no_slot',
  'too_late',
  'unavailable',
  'unreadable',
] as const

/** One of the ways in which a call can fail. */
export type ServiceErrorCode = (typeof serviceErrorCodes)[number]

const OUTAGES = new Set<ServiceErrorCode>(['unavailable', 'unreadable', 'key_invalid', 'forbidden'])
/** Nobody was asked, or whoever answers has no time. */
const SILENT = new Set<ServiceErrorCode>(['no_slot', 'too_late', 'rate_limited'])

/** Whether the service works, as far as the end of a call shows: one that refuses a code or a profile does. */
export function showsWorking(code: ServiceErrorCode | undefined): boolean | undefined {
  if (code === undefined) return true
  return SILENT.has(code) ? undefined : !OUTAGES.has(code)
}

/** `unclear`: the request may have been carried out; look before doing it again. */
type Reached = 'no' | 'yes' | 'unclear'

type Details = {
  reached: Reached
  status?: number | undefined
  messages?: readonly string[] | undefined
  retryAfterMs?: number | undefined
  unshown?: Unshown | undefined
  cause?: unknown
}

/** Nobody wants a call any more whose slot of the budget has come: it was not made. */
export class UnwantedCall extends Error {
  override readonly name = 'UnwantedCall'
}

/** A refusal or failure of the testing service. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ServiceErrorCode
  readonly reached: Reached
  readonly status: number | undefined
  /** The service's own words: for matching only, since they may repeat what a participant typed. */
  readonly messages: readonly string[]
  readonly retryAfterMs: number | undefined
  /** Which question cannot be shown, and why. */
  readonly unshown: Unshown | undefined

  constructor(code: ServiceErrorCode, details: Details) {
    const { reached, status, messages = [], retryAfterMs, unshown, cause } = details
    super(status === undefined ? code : `${code} (HTTP ${status})`, cause === undefined ? {} : { cause })
    this.code = code
    this.reached = reached
    this.status = status
    this.messages = messages
    this.retryAfterMs = retryAfterMs
    this.unshown = unshown
    // Kept out of a serialised error (logs, crash reports).
    Object.defineProperty(this, 'messages', { enumerable: false })
  }
}

/** Questions that are not asked, since one of them could not be shown as it is meant. */
export const notShown = (why: Unshown['why'], question?: number): ServiceError =>
  new ServiceError('questions_unreadable', {
    reached: 'yes',
    unshown: { why, ...(question !== undefined && { question }) },
  })

/** What a refusal by the service says to those who decide what comes next. */
export type Refusal = Pick<ServiceError, 'code' | 'reached' | 'status' | 'messages'>

/** What a call comes to where a refusal is an answer as well. */
export type Answered<T> = { value: T } | { error: Refusal }

/** The service's answer, or its refusal as data; anything else is thrown. */
export async function answered<T>(call: Promise<T>): Promise<Answered<T>> {
  try {
    return { value: await call }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { error }
  }
}
