import { listRecords } from './lists.ts'
import {
  authenticateRecord,
  readQuestions,
  readRecordReport,
  readRecordResult,
  submitAnswers,
  verifyRecord,
} from './records.ts'
import { queryOf, type Request, type Routes } from './routes.ts'
import type { RecordState } from './state.ts'
import { wireRecord } from './wire.ts'
import { findRecord, type World } from './world.ts'

/** The connection check and test records; the trailing slashes are those of the specification. */
export function recordRoutes(world: World): Routes {
  const on =
    (operation: (world: World, record: RecordState, body: unknown) => unknown) =>
    ({ organizer, token, body }: Request) =>
      operation(world, findRecord(world, organizer, token), body)

  return {
    'GET /auth/connect/': () => ({ connect: 'ok' }),
    'GET /record/': ({ organizer, address }) => listRecords(world, organizer, address, queryOf(address)),
    'GET /record/:token': on(wireRecord),
    'POST /record/:token/auth/': on(authenticateRecord),
    'PUT /record/:token/auth/verify/': on(verifyRecord),
    'GET /record/:token/questions/': on(readQuestions),
    'POST /record/:token/': on(submitAnswers),
    'GET /record/:token/result/json/': on(readRecordResult),
    'GET /record/:token/result/html/': on(readRecordReport),
  }
}
