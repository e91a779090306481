import { backOffMs } from '../domain/back-off.ts'
import type { EventOf, SubmitRefusal } from '../queue/events.ts'
import { isFinished, type TestRecord } from '../service/wire.ts'
import type { Answered, Refusal } from './answered.ts'

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
export type Step =
  | { end: EventOf<'submitted' | 'submit-refused' | 'submitted-elsewhere'> }
  | { again: 'in-other-form' }
  /** The process stops: the next one takes it up with what is known. */
  | { again: 'elsewhere' }
  | { again: 'later'; isUnclear: boolean }
export type Next = Ask | Step

const BACK_OFF_MS = [2_000, 4_000, 8_000, 15_000, 30_000, 60_000]
/** When answers are sent again that the service did not take, after so many tries in a row. */
export const nextTryMs = (tries: number): number => backOffMs(BACK_OFF_MS, tries)

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

function refused({ isUnclear }: Sending, { code, reached }: Refusal): Next {
  switch (code) {
    case 'billing':
      return refusal('billing')
    case 'key_invalid':
    case 'forbidden':
      return refusal('key')
    case 'not_found':
      return refusal('gone')
    case 'bad_request':
      return refusal('bad_request')
    case 'no_slot':
      return { again: 'elsewhere' }
    case 'finished_or_gone':
    case 'belongs_to_roadmap':
    case 'external_id_taken':
    case 'already_finished':
    case 'not_finished':
    case 'mobile_limit':
    case 'profile_invalid':
    case 'role_mismatch':
    case 'draft_expired':
    case 'code_wrong':
    case 'sms_not_required':
    case 'not_ready_to_generate':
    case 'questions_unreadable':
    case 'rate_limited':
    case 'too_late':
    case 'unavailable':
    case 'unreadable':
      return { again: 'later', isUnclear: isUnclear || reached === 'unclear' }
  }
}
