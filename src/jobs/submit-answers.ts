import { z } from 'zod'
import { backOffMs } from '../domain/durations.ts'
import { durationInMinutes, inOrder } from '../domain/questionnaire.ts'
import { questionsOf } from '../domain/record/record.ts'
import { move, submissionNoted } from '../domain/record/transitions.ts'
import { type EventOf, postEvent, type SubmitRefusal } from '../queue/chat-message.ts'
import { guardCurrent, type Handler, handler, isCurrent, type JobEnd, job, type Task } from '../queue/job.ts'
import type { CallOptions, ServiceClient } from '../service/client.ts'
import {
  type Answered,
  NEXT_REPLICA_MS,
  outcomeOf,
  type Refusal,
  type ServiceErrorCode,
} from '../service/errors.ts'
import { answersBody } from '../service/questionnaire-wire.ts'
import { isFinished, type TestRecord } from '../service/wire.ts'
import { attemptKey, openAttemptOf, ownerOf } from '../storage/documents/attempts.ts'
import { onBehalfSchema, recordFiles } from '../storage/documents/kinds.ts'
import { readQuestions } from '../storage/documents/questions.ts'
import { isOlderThan } from '../storage/store.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import type { JobDeps } from './deps.ts'
import { placeInLine } from './place-in-line.ts'

const submitBody = z.object({
  s: z.string(),
  onBehalf: onBehalfSchema,
  /** An attempt of ours may have reached the service: check the record before the next one. */
  unclear: z.boolean().optional(),
  /** The first form of the answers was refused as malformed: try the other one. */
  otherForm: z.boolean().optional(),
  /** The participant was notified that it takes longer. */
  told: z.boolean().optional(),
  tries: z.number().optional(),
})
type SubmitBody = z.infer<typeof submitBody>
/** A submission whose place in line is shown to the participant. */
type Submitting = Task<SubmitBody> & { place: ReturnType<typeof placeInLine> }

/** The submission of finished answers. Keyed by record id. */
export const submitJob = job('submit', submitBody)

/**
 * Submits finished answers exactly once: it never gives up while the service is away, and after an unclear
 * answer it checks the record before the next attempt.
 */
export function createSubmitHandler(
  deps: Pick<JobDeps, 'service' | 'store' | 'vault' | 'sender' | 'texts' | 'now' | 'log'>,
): Handler {
  const { service, store, now, log } = deps

  async function ask(to: Answer['to'], { token, within, minutes, ...forms }: Answers, task: Submitting) {
    const { body, signal, begin, trace, place } = task
    const isWanted = () => {
      place.reached()
      return isCurrent(deps, body.onBehalf)
    }
    const inLine = { signal, trace, account: body.onBehalf.who, onQueued: place.onQueued, isWanted }
    if (to !== 'send') return { to, ...(await lookAt(service, { token, within }, inLine)) }
    const record = body.otherForm && forms.alternative ? forms.alternative : forms.record
    const answers = { record, doing_duration_in_minutes: minutes }
    return { to, ...(await outcomeOf<unknown>(service.submitAnswers(token, answers, { ...inLine, begin }))) }
  }

  async function submit(answers: Answers, task: Submitting, isUnclear: boolean): Promise<Step> {
    const { otherForm, tries = 0 } = task.body
    const attempt = { isUnclear, hasOtherForm: answers.alternative !== undefined && !otherForm, tries }
    let step: Next = first({ isUnclear })
    while ('ask' in step) {
      const to = step.ask
      try {
        const answer = await ask(to, answers, task)
        const hasForgotten = to === 'whose' && (await isOlderThan(store, answers.life))
        step = next({ ...attempt, hasForgotten }, answer)
      } catch (error) {
        if (to === 'send' || isUnclear) throw error
        // The service has accepted nothing of this attempt; a failed job would lose that knowledge.
        log.warn({ err: error }, 'what the service has was not read')
        return LATER
      }
    }
    return step
  }

  return handler(submitJob, async (task): Promise<JobEnd<SubmitBody>> => {
    const { body, work, begun } = task
    const { s, onBehalf, tries = 0 } = body
    if (!(await guardCurrent(work, onBehalf))) return undefined
    const answers = await readAnswers(deps, work, s)
    const isNoted = typeof answers !== 'string' && answers.isAttempted
    const unclear = body.unclear === true || begun || isNoted
    if (answers === 'released') {
      if (unclear) await noteSubmission(work, s)
      return undefined
    }
    const isAwaited = () => isCurrent(deps, onBehalf)
    const place = placeInLine(deps, onBehalf, { who: 'participant', isAwaited })
    const sent = typeof answers === 'string' ? refusal(answers) : submit(answers, { ...task, place }, unclear)
    const step = await Promise.resolve(sent).finally(place.leave)
    const retryLater = async (afterMs: number, changes: Partial<SubmitBody>) => {
      const retryBody = { ...body, unclear, ...changes }
      // The account that takes the test over posts its own submit job in place of this one.
      if (retryBody.unclear) await noteSubmission(work, s)
      return { retryAt: now() + afterMs, retryBody }
    }
    if ('end' in step) {
      const { end } = step
      // The test may change hands before the event arrives: then the next account checks the service first.
      const isOurs = end.kind === 'submitted' && !end.isUncertain
      if (isOurs || (unclear && end.kind === 'submit-refused')) await noteSubmission(work, s)
      postEvent(work, onBehalf, s, end)
      return undefined
    }
    if (step.again === 'in-other-form') return retryLater(0, { otherForm: true })
    if (step.again === 'elsewhere') return retryLater(NEXT_REPLICA_MS, {})
    if (!body.told) postEvent(work, onBehalf, s, { kind: 'submit-delayed' })
    if (tries + 1 === LONG_AFTER_TRIES) postEvent(work, onBehalf, s, { kind: 'submit-delayed', isLong: true })
    return retryLater(nextTryMs(tries + 1), { unclear: step.isUnclear, told: true, tries: tries + 1 })
  })
}

/** The state of a record; the roadmap gives it if the service does not show its records alone. */
async function lookAt(
  service: Pick<ServiceClient, 'record' | 'roadmap'>,
  { token, within }: Pick<Answers, 'token' | 'within'>,
  how: CallOptions,
): Promise<Answered<Seen>> {
  const own = await outcomeOf(service.record(token, how))
  if ('value' in own || own.error.code !== 'not_found' || within === undefined) return own
  const whole = await outcomeOf(service.roadmap(within, how))
  if ('error' in whole) return whole
  const value = whole.value.test_records.find((record) => record.token === token)
  return value ? { value } : own
}

/** Notes in the record that an attempt may have been accepted; the note outlives the job and the assignee. */
export async function noteSubmission(work: UnitOfWork, s: string): Promise<void> {
  const file = await work.get(recordFiles, s)
  if (file) move(file, submissionNoted)
}

/** The answers in the forms that the service may want, the active time, and what is known of attempts. */
type Answers = Exclude<Awaited<ReturnType<typeof readAnswers>>, string>

/**
 * Reads the answers to submit. They may be gone, damaged, unlocked (an older store was restored), or
 * released: then they belong to no account until another one takes them over and continues.
 */
async function readAnswers({ store, vault }: Pick<JobDeps, 'store' | 'vault'>, work: UnitOfWork, s: string) {
  const file = await work.get(recordFiles, s)
  const [entry] = await store.read([attemptKey(s)])
  const questions = file && questionsOf(file)
  const questionnaire = questions && (await readQuestions(work, vault, questions.content))
  if (!file || !entry || !questionnaire) return 'gone'
  const who = await ownerOf(work, file)
  // It may have been released since the record was read.
  if (who === undefined || openAttemptOf(vault, { who: undefined, s }, entry)) return 'released'
  const attempt = openAttemptOf(vault, { who, s }, entry)
  if (attempt?.contentHash.toString('hex') !== questions.content) return 'damaged'
  const proof = vault.attemptCipher.verify(s, attempt)
  if (attempt.state !== 'locked' && proof !== 'harmed') return 'unlocked'
  if (proof !== 'sound') return 'damaged'
  const chosen = vault.attemptCipher.decryptAnswers(attempt)
  if (chosen.length !== inOrder(questionnaire).length) return 'damaged'
  const minutes = durationInMinutes(attempt.activeMs / 1_000)
  // `isAttempted`: a job, not necessarily this one, noted an attempt.
  const { life, isAttempted = false } = questions
  // The token of the roadmap that contains the record.
  const within = file.parent && (await work.get(recordFiles, file.parent.s))?.token
  return { token: file.token, within, minutes, life, isAttempted, ...answersBody(questionnaire, chosen) }
}

/** What is known of a submission in progress. */
export type Sending = {
  /** An attempt of ours may have been accepted: it was noted before it left. */
  isUnclear: boolean
  /** An older store was restored since the answers were begun: it may lack a noted attempt. */
  hasForgotten: boolean
  /** The same answers can be sent in another form, which was not tried yet. */
  hasOtherForm: boolean
  /** How many tries there were in a row. */
  tries: number
}

type Seen = Pick<TestRecord, 'is_finished' | 'status' | 'auth_required'>

/** `look`: was it accepted? `send`: the answers. `why`: what forbids it? `whose`: who submitted before? */
export type Answer =
  | ({ to: 'look' | 'why' | 'whose' } & Answered<Seen>)
  | ({ to: 'send' } & Answered<unknown>)

type Ask = { ask: Answer['to'] }
/** How the attempt ends. */
type Step =
  | { end: EventOf<'submitted' | 'submit-refused' | 'submitted-elsewhere'> }
  | { again: 'in-other-form' }
  /** This process stops: the next one continues with what is known. */
  | { again: 'elsewhere' }
  | { again: 'later'; isUnclear: boolean }
type Next = Ask | Step

const BACK_OFF_MS = [2_000, 4_000, 8_000, 15_000, 30_000, 60_000]
/** After these tries, about an hour, organizers are notified of unsent answers. */
const LONG_AFTER_TRIES = 60
/** The pause before answers are sent again, after this many tries in a row. */
const nextTryMs = (tries: number): number => backOffMs(BACK_OFF_MS, tries)

/** How often a record that takes no answers, and is not finished either, is given time. */
const CONTRADICTED_TRIES = 6

/** The first step: after an unclear attempt the record is checked before the answers are sent again. */
export const first = ({ isUnclear }: Pick<Sending, 'isUnclear'>): Ask => ({
  ask: isUnclear ? 'look' : 'send',
})

/** The next step in submitting answers exactly once. */
export function next(sending: Sending, answer: Answer): Next {
  if ('error' in answer)
    return answer.to === 'send' ? notSent(sending, answer.error) : refused(sending, answer.error)
  switch (answer.to) {
    case 'look':
      return isFinished(answer.value) ? SUBMITTED : { ask: 'send' }
    case 'send':
      return SUBMITTED
    case 'why':
      // spec: key blocked, or a prerequisite not met. The key could read the record, so it is not blocked.
      return refusal(answer.value.auth_required ? 'profile' : 'billing')
    case 'whose':
      // No attempt is noted here, but a restored older store may have lost the note.
      if (isFinished(answer.value)) return sending.hasForgotten ? PERHAPS_SUBMITTED : ELSEWHERE
      return sending.tries < CONTRADICTED_TRIES ? LATER : refusal('bad_request')
  }
}

const SUBMITTED: Step = { end: { kind: 'submitted' } }
const PERHAPS_SUBMITTED: Step = { end: { kind: 'submitted', isUncertain: true } }
const ELSEWHERE: Step = { end: { kind: 'submitted-elsewhere' } }
const LATER: Step = { again: 'later', isUnclear: false }

export const refusal = (code: SubmitRefusal): Step => ({ end: { kind: 'submit-refused', code } })

function notSent(sending: Sending, error: Refusal): Next {
  // A 409 after an attempt of our own means that it was accepted.
  if (error.code === 'already_finished') return sending.isUnclear ? SUBMITTED : { ask: 'whose' }
  // A refused request recorded nothing, so the other form of the same answers may be tried once.
  if (error.code === 'bad_request' && sending.hasOtherForm) return { again: 'in-other-form' }
  if (error.code === 'forbidden') return { ask: 'why' }
  return refused(sending, error)
}

/** Refusals that waiting does not change. All other codes, also new ones, are temporary and are retried. */
const REFUSALS: { readonly [Code in ServiceErrorCode]?: SubmitRefusal } = {
  billing: 'billing',
  key_invalid: 'key',
  forbidden: 'key',
  not_found: 'gone',
  bad_request: 'bad_request',
}

function refused({ isUnclear }: Sending, { code, reached }: Refusal): Next {
  const why = REFUSALS[code]
  if (why) return refusal(why)
  if (code === 'no_slot') return { again: 'elsewhere' }
  return { again: 'later', isUnclear: isUnclear || reached === 'unclear' }
}
