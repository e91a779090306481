import { z } from 'zod'
import { backOffMs } from '../domain/durations.ts'
import { durationInMinutes, inOrder } from '../domain/questionnaire.ts'
import { questionsOf } from '../domain/record/record.ts'
import { move, submissionNoted } from '../domain/record/transitions.ts'
import { type EventOf, postEvent, type SubmitRefusal } from '../queue/chat-message.ts'
import { guardCurrent, type Handler, handler, isCurrent, type JobEnd, job, type Task } from '../queue/job.ts'
import type { CallOptions, ServiceClient } from '../service/client.ts'
import { type Answered, answered, type Refusal, type ServiceErrorCode } from '../service/errors.ts'
import { answersBody } from '../service/questionnaire-wire.ts'
import { isFinished, type TestRecord } from '../service/wire.ts'
import { attemptKey, openAttemptOf, ownerOf } from '../storage/documents/attempts.ts'
import { onBehalf, recordFiles } from '../storage/documents/kinds.ts'
import { readQuestions } from '../storage/documents/questions.ts'
import { isOlderThan } from '../storage/store.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import type { JobDeps } from './deps.ts'
import { placeInLine } from './place-in-line.ts'

const submitBody = z.object({
  s: z.string(),
  onBehalf,
  /** An attempt of ours may have reached the service: look before the next one. */
  unclear: z.boolean().optional(),
  /** The first form of the answers was refused as malformed: the other one is tried. */
  otherForm: z.boolean().optional(),
  /** The participant has been told that it takes longer. */
  told: z.boolean().optional(),
  tries: z.number().optional(),
})
type SubmitBody = z.infer<typeof submitBody>
/** Whoever waits for it is told the place in line. */
type Submitting = Task<SubmitBody> & { place: ReturnType<typeof placeInLine> }

/** Finished answers on their way to the service. By record id. */
export const submitJob = job('submit', submitBody)

/** So long after this process stopped the next one takes a submission up; so long a release may take. */
const HAND_OVER_MS = 1_000

/**
 * Brings finished answers to the service exactly once: it never gives up while the service is away, and after an
 * unclear answer it looks at the record before it tries again.
 */
export function createSubmitHandler(
  deps: Pick<JobDeps, 'service' | 'store' | 'vault' | 'sender' | 'texts' | 'now' | 'log'>,
): Handler {
  const { service, store, now, log } = deps

  async function ask(to: Answer['to'], { token, within, minutes, ...forms }: Answers, task: Submitting) {
    const { body, signal, begin, trace, place } = task
    const inLine = { signal, trace, account: body.onBehalf.who, onQueued: place.onQueued }
    if (to !== 'send') return { to, ...(await lookAt(service, { token, within }, inLine)) }
    const record = body.otherForm && forms.alternative ? forms.alternative : forms.record
    const isWanted = () => isCurrent(deps, body.onBehalf)
    const answers = { record, doing_duration_in_minutes: minutes }
    const sent = service.submitAnswers(token, answers, { ...inLine, begin, isWanted })
    return { to, ...(await answered<unknown>(sent)) }
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
        // The service has taken nothing of this attempt: after a failed job nobody would know that any more.
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
    const comeAgain = async (afterMs: number, changes: Partial<SubmitBody>) => {
      const retryBody = { ...body, unclear, ...changes }
      // Whoever takes it over posts in the place of this job.
      if (retryBody.unclear) await noteSubmission(work, s)
      return { retryAt: now() + afterMs, retryBody }
    }
    if ('end' in step) {
      const { end } = step
      // The word of it may come too late for whose it was: whoever takes it over looks at the service first.
      const isOurs = end.kind === 'submitted' && !end.isUncertain
      if (isOurs || (unclear && end.kind === 'submit-refused')) await noteSubmission(work, s)
      postEvent(work, onBehalf, s, end)
      return undefined
    }
    if (step.again === 'in-other-form') return comeAgain(0, { otherForm: true })
    if (step.again === 'elsewhere') return comeAgain(HAND_OVER_MS, {})
    if (!body.told) postEvent(work, onBehalf, s, { kind: 'submit-delayed' })
    if (tries + 1 === LONG_AFTER_TRIES) postEvent(work, onBehalf, s, { kind: 'submit-delayed', isLong: true })
    return comeAgain(nextTryMs(tries + 1), { unclear: step.isUnclear, told: true, tries: tries + 1 })
  })
}

/** How a record stands; where a service shows no record of a roadmap on its own, as the roadmap says. */
async function lookAt(
  service: Pick<ServiceClient, 'record' | 'roadmap'>,
  { token, within }: Pick<Answers, 'token' | 'within'>,
  how: CallOptions,
): Promise<Answered<Seen>> {
  const own = await answered(service.record(token, how))
  if ('value' in own || own.error.code !== 'not_found' || within === undefined) return own
  const whole = await answered(service.roadmap(within, how))
  if ('error' in whole) return whole
  const value = whole.value.test_records.find((record) => record.token === token)
  return value ? { value } : own
}

/** That an attempt may have been accepted stays with the record, whatever becomes of the job and whoever has the test then. */
export async function noteSubmission(work: UnitOfWork, s: string): Promise<void> {
  const file = await work.get(recordFiles, s)
  if (file) move(file, submissionNoted)
}

/** The answers of a record in the forms that the service may want, the active time, and what is known of sending them. */
type Answers = Exclude<Awaited<ReturnType<typeof readAnswers>>, string>

/**
 * Reads the answers that are to be submitted; says so where they are gone, not as they were sealed, not locked any more (a
 * store that came back older), or nobody's until somebody takes them over and goes on with what was under way.
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
  // An attempt was noted, by whatever job.
  const { life, isAttempted = false } = questions
  // The roadmap that has the record.
  const within = file.parent && (await work.get(recordFiles, file.parent.s))?.token
  return { token: file.token, within, minutes, life, isAttempted, ...answersBody(questionnaire, chosen) }
}

/** What is known of answers on their way. */
export type Sending = {
  /** An attempt of ours may have been accepted: it was noted before it left. */
  isUnclear: boolean
  /** The store came back older since the answers were begun: an attempt may have been forgotten. */
  hasForgotten: boolean
  /** The same answers can be sent in another form, which was not tried yet. */
  hasOtherForm: boolean
  /** How often it was tried in a row. */
  tries: number
}

type Seen = Pick<TestRecord, 'is_finished' | 'status' | 'auth_required'>

/** `look`: has it been accepted? `send`: the answers. `why`: what forbids to send them; `whose`: what is there already. */
export type Answer =
  | ({ to: 'look' | 'why' | 'whose' } & Answered<Seen>)
  | ({ to: 'send' } & Answered<unknown>)

type Ask = { ask: Answer['to'] }
/** How the attempt ends. */
type Step =
  | { end: EventOf<'submitted' | 'submit-refused' | 'submitted-elsewhere'> }
  | { again: 'in-other-form' }
  /** The process stops: the next one takes it up with what is known. */
  | { again: 'elsewhere' }
  | { again: 'later'; isUnclear: boolean }
type Next = Ask | Step

const BACK_OFF_MS = [2_000, 4_000, 8_000, 15_000, 30_000, 60_000]
/** After an hour of it organizers hear of what stays unsent. */
const LONG_AFTER_TRIES = 60
/** When answers are sent again that the service did not take, after so many tries in a row. */
const nextTryMs = (tries: number): number => backOffMs(BACK_OFF_MS, tries)

/** So often a record that takes no answers, and is not finished either, is given time. */
const CONTRADICTED_TRIES = 6

/** After an unclear attempt the record is looked at before the next one. */
export const first = ({ isUnclear }: Pick<Sending, 'isUnclear'>): Ask => ({
  ask: isUnclear ? 'look' : 'send',
})

/** What comes next in bringing answers to the service exactly once. */
export function next(sending: Sending, answer: Answer): Next {
  if ('error' in answer)
    return answer.to === 'send' ? notSent(sending, answer.error) : refused(sending, answer.error)
  switch (answer.to) {
    case 'look':
      return isFinished(answer.value) ? SUBMITTED : { ask: 'send' }
    case 'send':
      return SUBMITTED
    case 'why':
      // spec: key blocked, or a prerequisite not met; the key may read the record, so it is not that.
      return refusal(answer.value.auth_required ? 'profile' : 'billing')
    case 'whose':
      // Nothing was sent from here that anybody remembers, and a store that came back older may have forgotten it.
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

/** What no waiting changes; all else, a code that is new as well, passes and is tried again. */
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
