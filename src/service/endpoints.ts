import { z } from 'zod'
import * as wire from './wire.ts'
import * as exchange from './wire-exchanges.ts'

/** Who waits for the answer: a participant, or only our own background work. */
export type Lane = 'participant' | 'background'

/** One row of the specification. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT'
  /** Exactly as the specification writes it, below the base address; slashes included. */
  path: (token: string) => string
  query?: z.ZodType
  body?: z.ZodType
  /** What the envelope's `data` must be. */
  data: z.ZodType
  /**
   * Whether a lost reply may simply be asked for again. It is about this service, not about HTTP verbs: its PUT
   * spends an SMS code, its POST …/generate/ starts no second job.
   */
  idempotent: boolean
  lane: Lane
}

/** A row of the table; a participant waits unless it says otherwise. */
function endpoint<const E extends Omit<Endpoint, 'lane'> & { lane?: Lane }>(row: E): E & { lane: Lane } {
  return { ...row, lane: row.lane ?? 'participant' }
}

/** Every endpoint of the specification. */
export const endpoints = {
  connect: endpoint({
    method: 'GET',
    path: () => '/auth/connect/',
    data: exchange.connectReply,
    idempotent: true, // in the participants' lane: a bot that starts is not ready before
  }),

  listRecords: endpoint({
    method: 'GET',
    path: () => '/record/',
    query: exchange.recordQuery,
    data: wire.recordPageSchema,
    idempotent: true,
  }),
  record: endpoint({
    method: 'GET',
    path: (token) => `/record/${token}`,
    data: wire.recordSchema,
    idempotent: true,
  }),
  authRecord: endpoint({
    method: 'POST',
    path: (token) => `/record/${token}/auth/`,
    body: exchange.profileRequest,
    data: exchange.authReply,
    idempotent: false, // it may send an SMS
  }),
  verifyRecord: endpoint({
    method: 'PUT',
    path: (token) => `/record/${token}/auth/verify/`,
    body: exchange.verifyRequest,
    data: exchange.verifyReply,
    idempotent: false, // it spends the code
  }),
  questions: endpoint({
    method: 'GET',
    path: (token) => `/record/${token}/questions/`,
    data: z.unknown(), // several forms: see readQuestions
    idempotent: true,
  }),
  submitAnswers: endpoint({
    method: 'POST',
    path: (token) => `/record/${token}/`,
    body: exchange.answersRequest,
    data: z.unknown(), // documented as an empty object; nothing in it is needed
    idempotent: false, // when the reply is lost the record is read; answers are never submitted twice
  }),
  recordResultJson: endpoint({
    method: 'GET',
    path: (token) => `/record/${token}/result/json/`,
    data: wire.recordResultSchema,
    idempotent: true,
  }),
  recordResultHtml: endpoint({
    method: 'GET',
    path: (token) => `/record/${token}/result/html/`,
    data: wire.htmlReportSchema,
    idempotent: true,
  }),

  listRoadmaps: endpoint({
    method: 'GET',
    path: () => '/roadmap/',
    query: exchange.roadmapQuery,
    data: wire.roadmapPageSchema,
    idempotent: true,
  }),
  roadmap: endpoint({
    method: 'GET',
    path: (token) => `/roadmap/${token}`,
    data: wire.roadmapSchema,
    idempotent: true,
  }),
  authRoadmap: endpoint({
    method: 'POST',
    path: (token) => `/roadmap/${token}/auth/`,
    body: exchange.rolesRequest,
    data: exchange.roadmapAuthReply,
    idempotent: false, // it may send an SMS
  }),
  verifyRoadmap: endpoint({
    method: 'PUT',
    path: (token) => `/roadmap/${token}/auth/verify/`,
    body: exchange.verifyRequest,
    data: exchange.roadmapVerifyReply,
    idempotent: false, // it spends the code
  }),
  generate: endpoint({
    method: 'POST',
    path: (token) => `/roadmap/${token}/generate/`,
    data: exchange.generateReply,
    idempotent: true, // spec, States: "no duplicate job"
  }),
  generationStatus: endpoint({
    method: 'GET',
    path: (token) => `/roadmap/${token}/generate/status/`,
    data: exchange.generationReply,
    idempotent: true,
    lane: 'background',
  }),
  roadmapResultHtml: endpoint({
    method: 'GET',
    path: (token) => `/roadmap/${token}/result/html/`,
    data: wire.htmlReportSchema,
    idempotent: true,
  }),
  roadmapResultJson: endpoint({
    method: 'GET',
    path: (token) => `/roadmap/${token}/result/json/`,
    data: z.unknown(), // spec: "not shown"
    idempotent: true,
  }),
}

/** The name of an endpoint, which is also its method of the client. */
export type EndpointName = keyof typeof endpoints

/** What the endpoint answers with, as read from the envelope's `data`. */
export type DataOf<N extends EndpointName> = Data[N]
type Data = { [N in EndpointName]: z.output<(typeof endpoints)[N]['data']> }

/** What reads each endpoint's answer. */
export const answers: { [N in EndpointName]: { data: z.ZodType<Data[N]> } } = endpoints
