import { z } from 'zod'
import * as wire from './wire.ts'
import * as exchange from './wire-exchanges.ts'

/** Who waits for the answer: a participant, or only our own background work. */
export const LANES = ['participant', 'background'] as const
export type Lane = (typeof LANES)[number]

/** One row of the specification. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT'
  /** Exactly as the specification writes it, below the base address; slashes included. */
  path: string
  query?: z.ZodType | undefined
  body?: z.ZodType | undefined
  /** What the envelope's `data` must be. */
  data: z.ZodType
  /**
   * Whether a lost reply may simply be asked for again. It is about this service, not about HTTP verbs: its PUT
   * spends an SMS code, its POST …/generate/ starts no second job.
   */
  idempotent: boolean
}

/** A row that only reads. */
const read = <D extends z.ZodType>(path: string, data: D, query?: z.ZodType) =>
  ({ method: 'GET', path, query, data, idempotent: true }) as const satisfies Endpoint

/** A row that changes something: its lost reply is never just asked for again. */
const act = <D extends z.ZodType>(method: 'POST' | 'PUT', path: string, data: D, body?: z.ZodType) =>
  ({ method, path, body, data, idempotent: false }) as const satisfies Endpoint

const { profileRequest, rolesRequest, verifyRequest } = exchange

/** Every endpoint of the specification. */
export const endpoints = {
  connect: read('/auth/connect/', exchange.connectReply),

  listRecords: read('/record/', wire.recordPageSchema, exchange.recordQuery),
  record: read('/record/{token}', wire.recordSchema),
  // It may send an SMS.
  authRecord: act('POST', '/record/{token}/auth/', exchange.authReply, profileRequest),
  // It spends the code.
  verifyRecord: act('PUT', '/record/{token}/auth/verify/', exchange.verifyReply, verifyRequest),
  // In several forms: see `readQuestions`.
  questions: read('/record/{token}/questions/', z.unknown()),
  // When the reply is lost the record is read; answers are never submitted twice. Documented as an empty object.
  submitAnswers: act('POST', '/record/{token}/', z.unknown(), exchange.answersRequest),
  recordResultJson: read('/record/{token}/result/json/', wire.recordResultSchema),
  recordResultHtml: read('/record/{token}/result/html/', wire.htmlReportSchema),

  listRoadmaps: read('/roadmap/', wire.roadmapPageSchema, exchange.roadmapQuery),
  roadmap: read('/roadmap/{token}', wire.roadmapSchema),
  authRoadmap: act('POST', '/roadmap/{token}/auth/', exchange.roadmapAuthReply, rolesRequest),
  verifyRoadmap: act('PUT', '/roadmap/{token}/auth/verify/', exchange.roadmapVerifyReply, verifyRequest),
  // spec, States: "no duplicate job"
  generate: { ...act('POST', '/roadmap/{token}/generate/', exchange.generateReply), idempotent: true },
  generationStatus: read('/roadmap/{token}/generate/status/', exchange.generationReply),
  roadmapResultHtml: read('/roadmap/{token}/result/html/', wire.htmlReportSchema),
  // The specification does not show this answer: any JSON.
  roadmapResultJson: read('/roadmap/{token}/result/json/', z.unknown()),
} as const satisfies Record<string, Endpoint>

/** The name of an endpoint, which is also its method of the client. */
export type EndpointName = keyof typeof endpoints

/** What the endpoint answers with, as read from the envelope's `data`. */
export type DataOf<N extends EndpointName> = Data[N]
type Data = { [N in EndpointName]: z.output<(typeof endpoints)[N]['data']> }

/** What reads each endpoint's answer. */
export const answers: { [N in EndpointName]: { data: z.ZodType<Data[N]> } } = endpoints
