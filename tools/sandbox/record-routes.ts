import type { FastifyInstance, FastifyRequest } from 'fastify'
import { listRecords } from './lists.ts'
import {
  authenticateRecord,
  readQuestions,
  readRecordReport,
  readRecordResult,
  submitAnswers,
  verifyRecord,
} from './records.ts'
import type { RecordState } from './state.ts'
import { wireRecord } from './wire.ts'
import { findRecord, type World } from './world.ts'

/** Connection check and test records; the final slashes are those of the specification. */
export function recordRoutes(app: FastifyInstance, world: World) {
  const on =
    (operation: (world: World, record: RecordState, body: unknown) => unknown) =>
    async (request: FastifyRequest<{ Params: { token: string } }>) =>
      operation(world, findRecord(world, organizerOf(request), request.params.token), request.body)

  app.get('/auth/connect/', async () => ({ connect: 'ok' }))
  app.get('/record/', async (request) =>
    listRecords(world, organizerOf(request), addressOf(request), request.query),
  )
  app.get('/record/:token', on(wireRecord))
  app.post('/record/:token/auth/', on(authenticateRecord))
  app.put('/record/:token/auth/verify/', on(verifyRecord))
  app.get('/record/:token/questions/', on(readQuestions))
  app.post('/record/:token/', on(submitAnswers))
  app.get('/record/:token/result/json/', on(readRecordResult))
  app.get('/record/:token/result/html/', on(readRecordReport))
}

/** The organizer that the call's key belongs to. */
export function organizerOf(request: FastifyRequest): string {
  return request.getDecorator<string>('organizer')
}

/** The absolute address of a request, from which the links to other pages are made. */
export function addressOf(request: FastifyRequest): URL {
  return new URL(request.url, `${request.protocol}://${request.host}`)
}
