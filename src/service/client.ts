import { createBreaker } from './breaker.ts'
import { type CallDeps, type CallEvent, type CallOptions, createCall } from './call.ts'
import type {
  AnswersRequest,
  ProfileRequest,
  RecordQuery,
  RoadmapQuery,
  RolesRequest,
  VerifyRequest,
} from './endpoints.ts'
import { createTransport, type TransportOptions } from './transport.ts'

export type { CallEvent, CallOptions }

export type ServiceClientOptions = TransportOptions &
  Pick<CallDeps, 'budget' | 'sleep' | 'onCall' | 'onSlot' | 'inLine'> &
  Partial<Pick<CallDeps, 'breaker' | 'now'>>

/** The service as its callers see it. */
export type ServiceClient = ReturnType<typeof createServiceClient>

/**
 * The testing service, one method per endpoint of the specification. Every method throws a `ServiceError`
 * when the service refuses or fails, and the signal's reason when it is aborted.
 */
export function createServiceClient(options: ServiceClientOptions) {
  const { now = Date.now, breaker = createBreaker({ now }) } = options
  const transport = createTransport(options)
  const call = createCall({ ...options, transport, breaker, now })

  return {
    connect: (how?: CallOptions) => call('connect', {}, how),

    listRecords: (query: RecordQuery = {}, how?: CallOptions) => call('listRecords', { query }, how),
    record: (token: string, how?: CallOptions) => call('record', { token }, how),
    authRecord: (token: string, body: ProfileRequest, how?: CallOptions) =>
      call('authRecord', { token, body }, how),
    verifyRecord: (token: string, body: VerifyRequest, how?: CallOptions) =>
      call('verifyRecord', { token, body }, how),
    /** In one of several forms: see `readQuestions`. */
    questions: (token: string, how?: CallOptions) => call('questions', { token }, how),
    submitAnswers: async (token: string, body: AnswersRequest, how?: CallOptions): Promise<void> => {
      await call('submitAnswers', { token, body }, how)
    },
    recordResultJson: (token: string, how?: CallOptions) => call('recordResultJson', { token }, how),
    recordResultHtml: (token: string, how?: CallOptions) => call('recordResultHtml', { token }, how),

    listRoadmaps: (query: RoadmapQuery = {}, how?: CallOptions) => call('listRoadmaps', { query }, how),
    roadmap: (token: string, how?: CallOptions) => call('roadmap', { token }, how),
    authRoadmap: (token: string, body: RolesRequest, how?: CallOptions) =>
      call('authRoadmap', { token, body }, how),
    verifyRoadmap: (token: string, body: VerifyRequest, how?: CallOptions) =>
      call('verifyRoadmap', { token, body }, how),
    generate: (token: string, how?: CallOptions) => call('generate', { token }, how),
    generationStatus: (token: string, how?: CallOptions) => call('generationStatus', { token }, how),
    roadmapResultHtml: (token: string, how?: CallOptions) => call('roadmapResultHtml', { token }, how),
    /** The specification does not show this answer: any JSON. */
    roadmapResultJson: (token: string, how?: CallOptions) => call('roadmapResultJson', { token }, how),

    /** Ends all connections; running calls fail. The caller closes the budget. */
    close: () => transport.close(),
  }
}
