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
  /** Nobody could see whether an earlier attempt had happened. */
  isUnclear: z.literal(true).optional(),
  /** Which question cannot be shown, and why. */
  unshown: unshown.optional(),
})
/** Why a call came to nothing; `reason` is what the service says of it in Persian. */
export type Failure = z.infer<typeof failure>

/** What a call to the service came to, as plain data that can be kept and posted; `isEarlier`: the earlier details are there. */
export type Outcome<T> = { ok: true; value: T; isEarlier?: true | undefined } | Failure

/**
 * How a call is made; `keep` keeps the pictures of questions; `looksFirst`: the same was asked for before, and nobody knows
 * what came of it, or of the `earlier` details that were corrected since.
 */
export type CallHow = CallOptions & {
  keep?: (questionnaire: Questionnaire) => Promise<Questionnaire>
  looksFirst?: boolean | undefined
  earlier?: SentDetails | undefined
}

/** A call to the service: what it carries, what comes back, how it is made. */
type CallDefinition<R, V> = {
  request: z.ZodType<R>
  value: z.ZodType<V>
  make(service: ServiceClient, request: R, how: CallHow): Promise<NoInfer<V>>
  /** From when on it is worth nothing: the draft that it belongs to is over then. */
  endsAt?(request: NoInfer<R>): number | undefined
  /**
   * A repeat would do harm: it sends an SMS, or spends a code. Sees from the record or roadmap whether it has happened,
   * although its answer was lost; `undefined`: not; `of another`: others did it, with other details.
   */
  look?(service: ServiceClient, request: R, how: CallOptions): Promise<NoInfer<V> | undefined | 'of another'>
  /** An SMS may be on its way, so that only the participant asks for another. */
  sendsSms?(request: NoInfer<R>): boolean
}

export type DefinedCall<K extends string, R, V> = CallDefinition<R, V> & {
  /** Reads what was posted as the outcome of this call. */
  readOutcome(outcome: unknown): { kind: K; outcome: Outcome<V> }
}

/** Defines a call; `kind` is the one that its requests carry. */
export function defineCall<K extends string, R extends { kind: K }, V>(
  kind: K,
  definition: CallDefinition<R, V>,
): DefinedCall<K, R, V> {
  const isEarlier = z.literal(true).optional()
  const success = z.object({ ok: z.literal(true), value: definition.value, isEarlier })
  const { read } = bodyReader(`outcome of ${kind}`, z.union([success, failure]))
  return { ...definition, readOutcome: (outcome) => ({ kind, outcome: read(outcome) }) }
}
