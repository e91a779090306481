import { z } from 'zod'
import type { SentDetails } from '../domain/profile.ts'
import { type Questionnaire, unshown } from '../domain/questionnaire.ts'
import { bodyReader } from '../queue/job.ts'
import type { CallOptions, ServiceClient } from '../service/client.ts'
import { serviceErrorCodes } from '../service/errors.ts'

const failure = z.object({
  ok: z.literal(false),
  code: z.enum([...serviceErrorCodes, 'sms_unclear', 'registered_elsewhere']),
  reason: z.string().optional(),
  /** It is unknown whether this or an earlier attempt took effect. */
  isUnclear: z.literal(true).optional(),
  /** Which question cannot be shown, and why. */
  unshown: unshown.optional(),
})
/** Why a call failed; `reason`: what the service says about it in Persian. */
export type Failure = z.infer<typeof failure>

/** The outcome of a call, as plain data. `isEarlier`: the profile was made with the earlier details. */
export type Outcome<T> = { ok: true; value: T; isEarlier?: true | undefined } | Failure

/**
 * How a call is made. `keep`: stores the pictures of questions. `looksFirst`: check the record first, since
 * an equal call has an unknown outcome. `earlier`: details that were sent before and corrected since.
 */
export type CallHow = CallOptions & {
  keep?: (questionnaire: Questionnaire) => Promise<Questionnaire>
  looksFirst?: boolean | undefined
  earlier?: SentDetails | undefined
}

/** A call to the service: its request, its value, and how it is made. */
type CallDefinition<R, V> = {
  request: z.ZodType<R>
  value: z.ZodType<V>
  make(service: ServiceClient, request: R, how: CallHow): Promise<NoInfer<V>>
  /** When the call becomes useless, because its draft ends. */
  endsAt?(request: NoInfer<R>): number | undefined
  /**
   * Set where a repeat does harm: it sends an SMS, or spends a code. Checks whether a call whose answer was
   * lost took effect. `undefined`: it did not; `of another`: there is a profile with other details.
   */
  look?(service: ServiceClient, request: R, how: CallOptions): Promise<NoInfer<V> | undefined | 'of another'>
  /** Whether the call may send an SMS: then only the participant may ask for another one. */
  sendsSms?(request: NoInfer<R>): boolean
}

export type DefinedCall<K extends string, R, V> = CallDefinition<R, V> & {
  /** Reads a posted outcome of this call. */
  readOutcome(outcome: unknown): { kind: K; outcome: Outcome<V> }
}

/** Defines a call; its requests carry this `kind`. */
export function defineCall<K extends string, R extends { kind: K }, V>(
  kind: K,
  definition: CallDefinition<R, V>,
): DefinedCall<K, R, V> {
  const isEarlier = z.literal(true).optional()
  const success = z.object({ ok: z.literal(true), value: definition.value, isEarlier })
  const { read } = bodyReader(`outcome of ${kind}`, z.union([success, failure]))
  return { ...definition, readOutcome: (outcome) => ({ kind, outcome: read(outcome) }) }
}
