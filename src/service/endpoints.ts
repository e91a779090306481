import { z } from 'zod'
import { MOBILE } from '../domain/persian/mobile.ts'
import * as wire from './wire.ts'
import { flag, id, isObject, list, optional, profileSchema, whole } from './wire.ts'

/** Request bodies, and the answers that exist only between two requests (spec, "Endpoints"). */

const name = z.string().min(1).max(50)
const mobile = z.string().regex(MOBILE)
const birth = z.iso.date()
const externalId = z.int().optional() // zod's `int` is a safe integer
const profile = z.strictObject({ name, birth, is_male: z.boolean(), external_id: externalId })

/** The participant of a standalone test. */
export const profileRequest = profile.extend({ mobile })
export type ProfileRequest = z.input<typeof profileRequest>

/** The participants of a roadmap's roles, under one mobile. */
export const rolesRequest = z.strictObject({
  mobile,
  roles: z.array(z.strictObject({ id: z.int(), profile })).min(1),
})
export type RolesRequest = z.input<typeof rolesRequest>

/** The SMS code for the draft that an auth call made. */
const verifyRequest = z.strictObject({ draft_token: z.string().min(1), vcode: z.string().min(1) })
export type VerifyRequest = z.input<typeof verifyRequest>

const options = z.array(z.string())
/** An object by section id; zod's schema for records would drop the key `__proto__`. */
const bySection = z.custom<Record<string, string[]>>(
  (value) => isObject(value) && Object.values(value).every((each) => options.safeParse(each).success),
)

/** The chosen options in one of two forms (see `answersBody`), and the active time. */
const answersRequest = z.strictObject({
  record: z.union([options, bySection]),
  doing_duration_in_minutes: z.int().min(0),
})
export type AnswersRequest = z.input<typeof answersRequest>

const page = z.int().positive().optional()
const text = z.string().optional()
const search = { q: text, page, filter__is_finished: z.boolean().optional() }

/** Search parameters of the organizer's records. */
export const recordQuery = z.strictObject({
  ...search,
  filter__test__id: text,
  filter__profile__is_male: z.boolean().optional(),
  filter__profile__token: text,
  filter__profile__external_id: externalId,
})
export type RecordQuery = z.input<typeof recordQuery>

/** Search parameters of the organizer's roadmaps. */
export const roadmapQuery = z.strictObject({
  ...search,
  filter__roadmap__id: text,
  filter__test_records__profile__is_male: z.boolean().optional(),
  filter__test_records__profile__token: text,
  filter__test_records__profile__external_id: externalId,
})
export type RoadmapQuery = z.input<typeof roadmapQuery>

/** The specification shows `connect: "ok"` on the endpoint and `connected: true` elsewhere: both mean connected. */
const connectReply = z
  .union([z.looseObject({ connect: z.literal(['ok', 'OK', true]) }), z.looseObject({ connected: flag })])
  .refine((data) => data.connected !== false)
  .transform(() => ({ connected: true as const }))

/** The code was right, and the profile exists. */
export const verifyReply = z.object({ profile: optional(profileSchema) })
export type VerifyReply = z.output<typeof verifyReply>

/** The same for a roadmap, with a profile for each role. */
export const roadmapVerifyReply = z.object({
  roles: list(z.object({ role_id: whole, profile: optional(profileSchema) })),
})
export type RoadmapVerifyReply = z.output<typeof roadmapVerifyReply>

const draftReply = z.object({ tests_auth_required: z.literal(true), draft_token: z.string().min(1) })
const withoutSms = { tests_auth_required: z.literal(false) }

/** `true`: an SMS code was sent, and the draft lives five minutes. `false`: the profile exists. */
export const authReply = z.preprocess(inferPolicy, z.union([draftReply, verifyReply.extend(withoutSms)]))
export const roadmapAuthReply = z.preprocess(
  inferPolicy,
  z.union([draftReply, roadmapVerifyReply.extend(withoutSms)]),
)

const PROGRESS_WORDS = {
  processing:
    'processing in_progress progress running started generating working active queued queue enqueued pending waiting scheduled created accepted submitted retrying',
  completed: 'completed complete finished finish done success successful succeeded ready ok generated',
  failed: 'failed failure fail error errored cancelled canceled aborted rejected timeout timed_out expired',
} as const

/** Any common word; an unknown one becomes `unknown`, so that the caller reads the roadmap itself. */
const progress = z.unknown().transform((said) => {
  const word = (typeof said === 'string' ? said : '')
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
  const known = (['processing', 'completed', 'failed'] as const).find((each) =>
    PROGRESS_WORDS[each].split(' ').includes(word),
  )
  return known ?? 'unknown'
})

/** The endpoint documents `status`, an example calls it `state`. */
function statusOrState(data: unknown): unknown {
  return isObject(data) ? { ...data, status: data.status ?? data.state } : data
}

/** The state of a roadmap's analysis, right after the request for it. */
const generateReply = z.preprocess(
  statusOrState,
  z.object({ status: progress, estimated_wait_minutes: optional(id) }),
)

/** The state of a roadmap's analysis; `errors` says why it failed. */
export const generationReply = z.preprocess(
  statusOrState,
  z.object({ status: progress, errors: list(z.string()) }),
)

/** Without the policy, a draft token implies SMS mode, and its absence the other mode. */
function inferPolicy(data: unknown): unknown {
  if (!isObject(data)) return data
  const policy = flag.safeParse(data.tests_auth_required)
  return { ...data, tests_auth_required: policy.success ? policy.data : Boolean(data.draft_token) }
}

/** Who waits for the answer: a participant, or only background work. */
export const LANES = ['participant', 'background'] as const
export type Lane = (typeof LANES)[number]

/** One row of the specification. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT'
  /** Exactly as the specification writes it, below the base address; slashes included. */
  path: string
  query?: z.ZodType | undefined
  body?: z.ZodType | undefined
  /** The schema of the envelope's `data`. */
  data: z.ZodType
  /**
   * Whether the request may be repeated after a lost reply. This depends on the service, not on HTTP methods:
   * its PUT spends an SMS code, its POST …/generate/ starts no second job.
   */
  idempotent: boolean
}

/** An endpoint that only reads. */
const read = <D extends z.ZodType>(path: string, data: D, query?: z.ZodType) =>
  ({ method: 'GET', path, query, data, idempotent: true }) as const satisfies Endpoint

/** An endpoint that changes something: it is never just repeated after a lost reply. */
const act = <D extends z.ZodType>(method: 'POST' | 'PUT', path: string, data: D, body?: z.ZodType) =>
  ({ method, path, body, data, idempotent: false }) as const satisfies Endpoint

/** Rejects an answer with none of these fields: it proves no profile, so the caller reads the record. */
const requiring = <S extends z.ZodType>(schema: S, ...fields: string[]) =>
  z.preprocess((data) => (isObject(data) && fields.some((name) => data[name] != null) ? data : null), schema)

const recordMade = requiring(authReply, 'tests_auth_required', 'draft_token', 'profile')
const recordVerified = requiring(verifyReply, 'tests_auth_required', 'profile')
const roadmapMade = requiring(roadmapAuthReply, 'tests_auth_required', 'draft_token', 'roles')
const roadmapVerified = requiring(roadmapVerifyReply, 'tests_auth_required', 'roles')

/** Every endpoint of the specification. */
export const endpoints = {
  connect: read('/auth/connect/', connectReply),

  listRecords: read('/record/', wire.recordPageSchema, recordQuery),
  record: read('/record/{token}', wire.recordSchema),
  // It may send an SMS.
  authRecord: act('POST', '/record/{token}/auth/', recordMade, profileRequest),
  // It spends the code.
  verifyRecord: act('PUT', '/record/{token}/auth/verify/', recordVerified, verifyRequest),
  // In several forms: see `readQuestions`.
  questions: read('/record/{token}/questions/', z.unknown()),
  // After a lost reply the record is read; answers are never submitted twice. Documented as an empty object.
  submitAnswers: act('POST', '/record/{token}/', z.unknown(), answersRequest),
  recordResultJson: read('/record/{token}/result/json/', wire.recordResultSchema),
  recordResultHtml: read('/record/{token}/result/html/', wire.htmlReportSchema),

  listRoadmaps: read('/roadmap/', wire.roadmapPageSchema, roadmapQuery),
  roadmap: read('/roadmap/{token}', wire.roadmapSchema),
  authRoadmap: act('POST', '/roadmap/{token}/auth/', roadmapMade, rolesRequest),
  verifyRoadmap: act('PUT', '/roadmap/{token}/auth/verify/', roadmapVerified, verifyRequest),
  // spec, States: "no duplicate job"
  generate: { ...act('POST', '/roadmap/{token}/generate/', generateReply), idempotent: true },
  generationStatus: read('/roadmap/{token}/generate/status/', generationReply),
  roadmapResultHtml: read('/roadmap/{token}/result/html/', wire.htmlReportSchema),
  // The specification does not show this answer: any JSON.
  roadmapResultJson: read('/roadmap/{token}/result/json/', z.unknown()),
} as const satisfies Record<string, Endpoint>

/** The name of an endpoint and of its client method. */
export type EndpointName = keyof typeof endpoints

/** The endpoint's answer, as read from the envelope's `data`. */
export type DataOf<N extends EndpointName> = Data[N]
type Data = { [N in EndpointName]: z.output<(typeof endpoints)[N]['data']> }

/** The schema of each endpoint's answer. */
export const answers: { [N in EndpointName]: { data: z.ZodType<Data[N]> } } = endpoints
