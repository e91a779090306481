import { z } from 'zod'
import type { SentDetails } from '../domain/profile.ts'
import { isAskable, type Questionnaire, questionnaire, unshown } from '../domain/questionnaire.ts'
import { bodyReader } from '../queue/job.ts'
import type { CallOptions } from '../service/call.ts'
import type { ServiceClient } from '../service/client.ts'
import {
  authReply,
  type Lane,
  profileRequest,
  recordQuery,
  roadmapAuthReply,
  roadmapQuery,
  roadmapVerifyReply,
  rolesRequest,
  verifyReply,
} from '../service/endpoints.ts'
import { notShown, ServiceError, serviceErrorCodes } from '../service/errors.ts'
import { readQuestions } from '../service/questionnaire-wire.ts'
import { recordPageSchema, recordSchema, roadmapPageSchema, roadmapSchema } from '../service/wire.ts'
import { checkProfile, checkRoles, type Seen } from './check-profiles.ts'

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

const request = <K extends string, F extends z.core.$ZodShape>(kind: K, fields: F) =>
  z.object({ kind: z.literal(kind), token: z.string(), ...fields })

/** `until`: when the draft ends (milliseconds since 1970). Typed details help to recognise the profile. */
const verification = { draftToken: z.string(), code: z.string(), until: z.number().optional() }

/** The value of an auth call whose profiles are found at the service. */
async function withoutSms<V extends object>(looked: Promise<Seen<V>>) {
  const seen = await looked
  return typeof seen === 'object' ? { tests_auth_required: false as const, ...seen } : seen
}

const found = z.discriminatedUnion('found', [
  z.object({ found: z.literal('record'), record: recordSchema }),
  z.object({ found: z.literal('roadmap'), roadmap: roadmapSchema }),
  z.object({ found: z.literal('nothing') }),
])
/** What the service has under a token. */
export type Found = z.output<typeof found>

/** Looks for a token among records and roadmaps, first where it is expected. */
export async function findToken(
  service: Pick<ServiceClient, 'record' | 'roadmap'>,
  token: string,
  first: 'record' | 'roadmap',
  how: CallOptions,
): Promise<Found> {
  for (const kind of [first, first === 'record' ? 'roadmap' : 'record'] as const) {
    try {
      if (kind === 'record') return { found: kind, record: await service.record(token, how) }
      return { found: kind, roadmap: await service.roadmap(token, how) }
    } catch (error) {
      const isUnknown = error instanceof ServiceError && (error.code === 'not_found' || error.status === 404)
      if (!isUnknown) throw error
    }
  }
  return { found: 'nothing' }
}

const kind = z.enum(['record', 'roadmap'])

/** Every call that an organizer causes. */
const organizerCalls = {
  listRecords: defineCall('listRecords', {
    request: z.object({ kind: z.literal('listRecords'), query: recordQuery }),
    value: recordPageSchema,
    make: (service, { query }, how) => service.listRecords(query, how),
  }),
  listRoadmaps: defineCall('listRoadmaps', {
    request: z.object({ kind: z.literal('listRoadmaps'), query: roadmapQuery }),
    value: roadmapPageSchema,
    make: (service, { query }, how) => service.listRoadmaps(query, how),
  }),
  search: defineCall('search', {
    request: z.object({ kind: z.literal('search'), records: recordQuery, roadmaps: roadmapQuery }),
    value: z.object({ records: recordPageSchema, roadmaps: roadmapPageSchema }),
    make: async (service, { records, roadmaps }, how) => ({
      records: await service.listRecords(records, how),
      roadmaps: await service.listRoadmaps(roadmaps, how),
    }),
  }),
  find: defineCall('find', {
    request: z.object({ kind: z.literal('find'), token: z.string(), first: kind }),
    value: found,
    make: (service, { token, first }, how) => findToken(service, token, first, how),
  }),
  findSome: defineCall('findSome', {
    request: z.object({ kind: z.literal('findSome'), tokens: z.array(z.string()), first: kind }),
    value: z.array(found),
    async make(service, { tokens, first }, how) {
      const all: Found[] = []
      for (const token of tokens) all.push(await findToken(service, token, first, how))
      return all
    },
  }),
}

/** Every call that a chat waits for. */
export const calls = {
  ...organizerCalls,
  open: defineCall('open', {
    request: request('open', {}),
    value: recordSchema,
    make: (service, { token }, how) => service.record(token, how),
  }),
  auth: defineCall('auth', {
    request: request('auth', { profile: profileRequest, sms: z.boolean() }),
    value: authReply,
    make: (service, { token, profile }, how) => service.authRecord(token, profile, how),
    look: (service, { token, profile }, how) => withoutSms(checkProfile(service, token, profile, how)),
    sendsSms: ({ sms }) => sms,
  }),
  verify: defineCall('verify', {
    request: request('verify', { ...verification, profile: profileRequest.optional() }),
    value: verifyReply,
    endsAt: ({ until }) => until,
    make: (service, { token, draftToken, code }, how) =>
      service.verifyRecord(token, { draft_token: draftToken, vcode: code }, how),
    look: (service, { token, profile }, how) => checkProfile(service, token, profile, how),
  }),
  questions: defineCall('questions', {
    request: request('questions', {}),
    value: questionnaire,
    async make(service, { token }, { keep = async (read) => read, ...how }) {
      const read = readQuestions(await service.questions(token, how))
      if (!isAskable(read)) throw notShown('too-large')
      return keep(read)
    },
  }),
  openRoadmap: defineCall('openRoadmap', {
    request: request('openRoadmap', {}),
    value: roadmapSchema,
    make: (service, { token }, how) => service.roadmap(token, how),
  }),
  authRoadmap: defineCall('authRoadmap', {
    request: request('authRoadmap', { roles: rolesRequest, sms: z.boolean() }),
    value: roadmapAuthReply,
    make: (service, { token, roles }, how) => service.authRoadmap(token, roles, how),
    look: (service, { token, roles }, how) => withoutSms(checkRoles(service, token, roles, how)),
    sendsSms: ({ sms }) => sms,
  }),
  verifyRoadmap: defineCall('verifyRoadmap', {
    request: request('verifyRoadmap', { ...verification, roles: rolesRequest.optional() }),
    value: roadmapVerifyReply,
    endsAt: ({ until }) => until,
    make: (service, { token, draftToken, code }, how) =>
      service.verifyRoadmap(token, { draft_token: draftToken, vcode: code }, how),
    look: (service, { token, roles }, how) => checkRoles(service, token, roles, how),
  }),
}

type Calls = typeof calls
export type CallKind = keyof Calls
type Requests = { [K in CallKind]: z.output<Calls[K]['request']> }
type Values = { [K in CallKind]: z.output<Calls[K]['value']> }

/** A call to the service as data. */
export type Call = Requests[CallKind]
export type CallOf<K extends CallKind> = Requests[K]
export type OutcomeOf<K extends CallKind> = Outcome<Values[K]>

export const callTable: { [K in CallKind]: DefinedCall<K, Requests[K], Values[K]> } = calls

/** Organizers wait behind participants. */
export const laneOf = ({ kind }: Call): Lane =>
  Object.hasOwn(organizerCalls, kind) ? 'background' : 'participant'

/** Whether a call of this kind is repeated only after a check that it had no effect. */
export const isUnrepeatable = (kind: string): boolean =>
  isCallKind(kind) && callTable[kind].look !== undefined

const isCallKind = (kind: string): kind is CallKind => Object.hasOwn(calls, kind)

/** Reads the outcome of a call of this kind; throws an `Error` for an unknown kind or a malformed outcome. */
export function readOutcome(
  kind: string,
  outcome: unknown,
): { [K in CallKind]: { kind: K; outcome: OutcomeOf<K> } }[CallKind] {
  if (!isCallKind(kind)) throw new Error(`no call of the kind ${kind}`)
  return calls[kind].readOutcome(outcome)
}

/** Reads a call by the schema of its kind. */
export const callSchema = z.looseObject({ kind: z.string() }).transform((body, context): Call => {
  const read = isCallKind(body.kind) ? calls[body.kind].request.safeParse(body) : undefined
  if (read?.success) return read.data
  context.addIssue('not a call')
  return z.NEVER
})
