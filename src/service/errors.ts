import type { Unshown } from '../domain/questionnaire.ts'

/**
 * Every way in which a call can fail:
 *
 * - `forbidden`: any 403, or a missing profile; reading the record tells why (key, profile, billing)
 * - `finished_or_gone`: the roadmap is finished or never existed
 * - `role_mismatch`: age or gender does not fit the role
 * - `unavailable`: refused, reset, timed out, 5xx, or the breaker is open
 * - `unreadable`: an answer that breaks the specification
 * - `no_slot`: the bot stops, and the queued call was not made (`unclear`: its outcome is unknown)
 * - `too_late`: the call was queued until its deadline, and was not made
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

export type ServiceErrorCode = (typeof serviceErrorCodes)[number]

/** The delay after `no_slot`, until another replica has the slots of this one. */
export const NEXT_REPLICA_MS = 1_000

const OUTAGES = new Set<ServiceErrorCode>(['unavailable', 'unreadable', 'key_invalid', 'forbidden'])
/** Errors that say nothing about the service: no request was made, or the rate limit was hit. */
const SILENT = new Set<ServiceErrorCode>(['no_slot', 'too_late', 'rate_limited'])

/** Whether a call shows that the service works; a refused code or profile shows it, too. */
export function showsWorking(code: ServiceErrorCode | undefined): boolean | undefined {
  if (code === undefined) return true
  return SILENT.has(code) ? undefined : !OUTAGES.has(code)
}

/** `unclear`: the request may have been carried out; check before repeating it. */
type Reached = 'no' | 'yes' | 'unclear'

type Details = {
  reached: Reached
  status?: number | undefined
  messages?: readonly string[] | undefined
  retryAfterMs?: number | undefined
  unshown?: Unshown | undefined
  cause?: unknown
}

/** The call is no longer wanted when its slot is granted: it was not made. */
export class UnwantedCall extends Error {
  override readonly name = 'UnwantedCall'
}

/** A refusal or failure of the testing service. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ServiceErrorCode
  readonly reached: Reached
  readonly status: number | undefined
  /** The service's own messages: for matching only, since they may repeat a participant's input. */
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
    // Keep the messages out of serialised errors (logs, crash reports).
    Object.defineProperty(this, 'messages', { enumerable: false })
  }
}

/** Refuses a questionnaire because one of its questions cannot be shown faithfully. */
export const notShown = (why: Unshown['why'], question?: number): ServiceError =>
  new ServiceError('questions_unreadable', {
    reached: 'yes',
    unshown: { why, ...(question !== undefined && { question }) },
  })

/** The part of a refusal that decides the next step. */
export type Refusal = Pick<ServiceError, 'code' | 'reached' | 'status' | 'messages'>

/** The result of a call for which a refusal is an answer, too. */
export type Answered<T> = { value: T } | { error: Refusal }

/** Returns the service's answer, or its refusal as data; throws anything else. */
export async function outcomeOf<T>(call: Promise<T>): Promise<Answered<T>> {
  try {
    return { value: await call }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { error }
  }
}
