import { z } from 'zod'
import { parse, readApplicant } from './applicants.ts'
import { logEnrolment, verify } from './enrolment.ts'
import { questionsPayload, readAnswers } from './questions.ts'
import { Refusal } from './refusal.ts'
import { recordReport } from './report/record-report.ts'
import { score } from './scoring.ts'
import type { RecordState } from './state.ts'
import { isRecordFinished, wireProfile, wireResult } from './wire.ts'
import { profileOf, testById, type World } from './world.ts'

/** POST /record/{token}/auth/ */
export function authenticateRecord(world: World, record: RecordState, body: unknown) {
  refuseNested(record)
  if (!record.authRequired) throw new Refusal(409, 'The profile of this record is already authenticated.')
  refuseWaiting(record, 403)
  const begun = logEnrolment(world, record, readApplicant(world, body, testById(world, record.testId)))
  if ('draft' in begun) return { tests_auth_required: true, draft_token: begun.draft }
  return { tests_auth_required: false, profile: wireProfile(world, profileOf(world, record)) }
}

/** PUT /record/{token}/auth/verify/ */
export function verifyRecord(world: World, record: RecordState, body: unknown) {
  refuseNested(record)
  verify(world, record, body)
  return { tests_auth_required: true, profile: wireProfile(world, profileOf(world, record)) }
}

/** GET /record/{token}/questions/ */
export function readQuestions(world: World, record: RecordState) {
  refuseUnauthenticated(record)
  refuseWaiting(record, 403)
  return questionsPayload(testById(world, record.testId))
}

const submission = z.object({ record: z.unknown(), doing_duration_in_minutes: z.int().nonnegative() })

/** POST /record/{token}/: checks in this order: completed, profile, billing, body. */
export function submitAnswers(world: World, record: RecordState, body: unknown) {
  const attempt = { ...attemptOf(body), accepted: false }
  const attempts = world.state.submissions[record.token] ?? []
  world.state.submissions[record.token] = [...attempts, attempt]

  if (record.submittedAt !== null) throw new Refusal(409, 'This record is already completed.')
  refuseUnauthenticated(record)
  refuseWaiting(record, world.settings.billingRefusal)
  if (record.billing === 'refused')
    throw new Refusal(world.settings.billingRefusal, 'Insufficient credits: an active plan is required.')
  const { doing_duration_in_minutes: minutes } = parse(submission, body)
  record.answers = readAnswers(testById(world, record.testId), attempt.record)
  record.minutes = minutes
  record.submittedAt = world.now()
  attempt.accepted = true
  return {}
}

/** GET /record/{token}/result/json/ */
export function readRecordResult(world: World, record: RecordState) {
  return wireResult(scored(world, record))
}

/** GET /record/{token}/result/html/ */
export function readRecordReport(world: World, record: RecordState) {
  const result = scored(world, record)
  return { html: recordReport(world, record, result) }
}

function scored(world: World, record: RecordState) {
  if (!isRecordFinished(world, record)) throw new Refusal(409, 'This record is not finished.')
  return score(testById(world, record.testId), record.answers ?? [])
}

function attemptOf(body: unknown): { record: unknown; minutes: unknown } {
  const read = z.object({ record: z.unknown(), doing_duration_in_minutes: z.unknown() }).safeParse(body)
  return { record: read.data?.record, minutes: read.data?.doing_duration_in_minutes }
}

function refuseNested(record: RecordState) {
  if (record.roadmap !== null)
    throw new Refusal(409, 'This record belongs to a roadmap; authenticate it through the roadmap.')
}

function refuseUnauthenticated(record: RecordState) {
  if (record.authRequired) throw new Refusal(403, 'The profile of this record is not authenticated.')
}

function refuseWaiting(record: RecordState, status: number) {
  if (record.waiting)
    throw new Refusal(status, 'This record is waiting for a VIP or billing action of the organizer.')
}
