import { type Draft, newDraft } from '../profile.ts'
import { assignmentOf, missingRoles, type RoadmapRole } from '../roadmap.ts'
import {
  isIn,
  isSpent,
  type Questions,
  type RecordFile,
  type RecordStage,
  type RecordState,
  type Sms,
  type StateOf,
  type Waits,
} from './record.ts'

/**
 * An event in the life of a record, and the state that it leads to; `undefined` where the event does not
 * happen in the record's stage. It changes nothing: only `move` writes a state.
 */
export type Transition<A extends readonly unknown[]> = (file: RecordFile, ...args: A) => Next
type Next = RecordState | undefined

/** Moves a record on. Where the event does not happen in its stage, it changes nothing: `false`. */
export function move<A extends readonly unknown[]>(
  file: RecordFile,
  transition: Transition<A>,
  ...args: A
): boolean {
  const next = transition(file, ...args)
  if (!next) return false
  file.state = next
  // A record that moves on is not stuck, its result is no longer held back, and its details were sent again.
  delete file.refusal
  delete file.word
  delete file.stuckAt
  delete file.isHeldBack
  return true
}

const from =
  <S extends RecordStage, A extends readonly unknown[]>(
    stages: readonly S[],
    next: (state: StateOf<S>, file: RecordFile, ...args: A) => Next,
  ): Transition<A> =>
  (file, ...args) =>
    isIn(file, ...stages) ? next(file.state, file, ...args) : undefined

const UNBEGUN = ['new', 'waiting', 'intro'] as const
const BOARDS = ['board', 'generating', 'failed'] as const

/** What the service says about a record or roadmap (spec, States). */
export type Seen = {
  isFinished: boolean
  status: number
  needsProfile: boolean
  /** This account's answers led to it, according to its claim where nothing else is kept. */
  isOwn?: boolean
}

/** The service was asked about it. Its status, and whether it was begun here, decide what comes next. */
export const seen = from(
  [...UNBEGUN, 'profile', 'code', 'loading', ...BOARDS, 'elsewhere'],
  (state, file, { isFinished, status, needsProfile, isOwn = false }: Seen): Next => {
    const draft = 'draft' in state ? state.draft : undefined
    const answered = 'answered' in state ? state.answered : undefined
    // It belongs to another person until its profile has to be made again.
    if (state.stage === 'elsewhere' && state.isOthers && !needsProfile) return state
    // Complete answers are never given up. Their submission shows whose they are.
    if (isFinished && answered && !file.roadmap) return { stage: 'submitting', questions: answered }
    if (isFinished && isOwn) return { stage: 'done' }
    if (isFinished)
      // A report goes only to accounts whose attempts led to it, so only where a board was open before.
      return file.roadmap?.isOpened ? { stage: 'scored' } : { stage: 'elsewhere' }
    if (status === 0)
      return { stage: 'waiting', draft, answered, waits: 'waits' in state ? state.waits : undefined }
    if (!file.isBegun) return { stage: 'intro', needsProfile }
    // A roadmap names no person. Typed details are sent all the same, which shows whose profiles exist.
    const hasGiven = file.roadmap?.hands.some((hand) => hand.hasGiven)
    const isTyped = (hasGiven || draft?.people.some(({ name }) => name !== undefined)) && file.roadmap
    if (isTyped && !needsProfile && state.stage === 'code') return state
    if (needsProfile || isTyped)
      return { stage: 'profile', draft: draft ? missingOf(draft, file) : draftOf(file), answered }
    if (!file.roadmap) return answersOrQuestions(answered)
    return state.stage === 'generating' || state.stage === 'failed' ? state : { stage: 'board' }
  },
)

/** A participant waits for the organizer, and the organizers are notified: once, until it is opened. */
export const waitNoted = from(['waiting'], (state, _, waits: Waits) =>
  state.waits ? undefined : { ...state, waits },
)

/** Consent is given. */
export const consented = from(['intro'], ({ needsProfile }, file) => {
  if (needsProfile) return { stage: 'profile', draft: draftOf(file) }
  return file.roadmap ? { stage: 'board' } : { stage: 'loading' }
})

/** Its profiles exist, and an organizer invites to its roles one by one. */
export const rolesOpened = from(UNBEGUN, (state, { roadmap }) =>
  roadmap && !('answered' in state && state.answered) ? { stage: 'board' } : undefined,
)

/** The profile was sent and waits for its SMS code. */
export const codeSent = from(['profile', 'code'], ({ draft, answered }, _, sms: Sms) => {
  return { stage: 'code', draft, sms, answered }
})

export const codeTyped = from(['code'], (state, _, code: string) =>
  isSpent(state.sms) ? undefined : { ...state, sms: { ...state.sms, code } },
)

/** The code was wrong. Another one may be typed while the draft is valid; too many wrong ones end it. */
export const codeRefused = from(['code'], ({ sms: { code: _, wrong = 0, ...sms }, ...state }) => {
  return { ...state, sms: { ...sms, wrong: wrong + 1 } }
})

/** The draft in the service has ended, perhaps before its time. */
export const codeExpired = from(['code'], ({ sms: { code: _, ...sms }, ...state }, __, now: number) => {
  return { ...state, sms: { ...sms, expiresAt: Math.min(sms.expiresAt, now) } }
})

/** The details are asked again: something in them was refused, or has to be changed. */
export const profileReopened = from(['profile', 'code'], ({ draft, answered }) => {
  return { stage: 'profile', draft, answered }
})

/** Sending the profile has failed. A code that is still valid can be typed. */
export const profileNotSent = from(['profile', 'code'], (state, _, now: number) => {
  if (state.stage === 'code' && now < state.sms.expiresAt && !isSpent(state.sms)) return state
  return { stage: 'profile', draft: state.draft, answered: state.answered }
})

/** The profile exists, so the details that were typed for it are dropped. */
export const profileMade = from(['profile', 'code'], ({ answered }, { roadmap }) =>
  roadmap ? { stage: 'board' } : answersOrQuestions(answered),
)

/** A role of a roadmap that is not registered yet: its person gives the details on their own phone. */
export const detailsAsked = from(['new'], (_, { parent }, role: Pick<RoadmapRole, 'limits'>) =>
  parent ? { stage: 'profile', draft: newDraft([{ limits: role.limits }]) } : undefined,
)

export const detailsGiven = from(['profile'], ({ draft, answered }, { parent }) =>
  parent && !answered ? { stage: 'given', draft } : undefined,
)

/** The questions are asked for. */
export const questionsAsked = from(['new', 'waiting', 'loading', 'questions'], (state) =>
  'answered' in state && state.answered ? undefined : { stage: 'loading' },
)

/** The questions have arrived: an attempt begins, or goes on with the questions that it began with. */
export const questionsLoaded = from(['loading'], (_, __, questions: Questions) => {
  return { stage: 'questions', questions }
})

/** The participant has sent the answers. */
export const answersSent = from(['questions'], (state) => ({ ...state, stage: 'submitting' }))

/** The service has the answers. A record of a roadmap has no result of its own. */
export const answersAccepted = from(['submitting', 'refused'], ({ questions }, { parent }) =>
  parent ? { stage: 'done' } : { stage: 'scored', questions },
)

/** The service refuses the answers until somebody acts. */
export const answersRefused = from(['submitting'], (state) => ({ ...state, stage: 'refused' }))

/** A submission may have been accepted. Whatever comes between, the next one checks first. */
export const submissionNoted = from(['submitting', 'refused'], (state) => {
  return { ...state, questions: { ...state.questions, isAttempted: true } }
})

/** The service has other answers, which were not sent from here. */
export const answeredElsewhere = from(['submitting', 'refused'], (_, { parent }) => {
  return { stage: parent ? 'done' : 'elsewhere' }
})

/** The profile no longer exists. The answers stay until it is made again. */
export const profileMissed = from(['submitting'], ({ questions }, file) => {
  return { stage: 'profile', draft: draftOf(file), answered: questions }
})

/** The answers are not the ones that were sent, so the participant reviews them once more. */
export const answersUnlocked = from(['submitting'], (state) => ({ ...state, stage: 'questions' }))

/** Refused answers are sent once more. */
export const answersSentAgain = from(['refused'], ({ questions }) => ({ stage: 'submitting', questions }))

/** The job has ended for good without an outcome. Only the participant can try again. */
export const stalled = from(['submitting', 'generating'], (state) =>
  state.stage === 'submitting'
    ? { ...state, stage: 'refused', isOurs: true }
    : { stage: 'failed', reasons: [] },
)

/** It was finished elsewhere, or is gone. Complete answers that waited for a profile are still sent. */
export const finishedElsewhere = from(
  ['profile', 'code'],
  ({ answered }, { roadmap }, { ofRoadmap }: { ofRoadmap?: true } = {}) =>
    answered && !ofRoadmap && !roadmap
      ? { stage: 'submitting', questions: answered }
      : { stage: 'elsewhere', ofRoadmap },
)

/** Its profile has other details than were typed here: those are dropped, and no answers are sent. */
export const registeredAsOthers = from(['waiting', 'profile', 'code'], () => {
  return { stage: 'elsewhere', isOthers: true }
})

/** The participant has received the result. `isOwed`: it is still owed to another account. */
export const delivered = from(['scored', 'done'], (state, _, { isOwed }: { isOwed: boolean }) =>
  state.stage === 'done' && !state.isOwed ? undefined : { stage: 'done', isOwed: isOwed || undefined },
)

const NESTED = [
  'new',
  'waiting',
  'profile',
  'given',
  'loading',
  'questions',
  'submitting',
  'refused',
] as const

/** A record of a roadmap is finished in the service. */
export const recordFinished = from(NESTED, (_, { parent }) => (parent ? { stage: 'done' } : undefined))

/** A record of a roadmap can be begun again: it was handed over, or is open again. */
export const recordPutBack = from([...NESTED, 'done'], (_, { parent }) =>
  parent ? { stage: 'new' } : undefined,
)

/** The analysis is asked for. */
export const generationAsked = from(['board', 'failed'], () => ({ stage: 'generating' }))

/** The analysis has begun in the service. */
export const generationBegun = from(['generating'], (state, _, expectedMinutes: string | undefined) =>
  expectedMinutes === undefined ? state : { ...state, expectedMinutes },
)

/** The analysis does not begin until somebody acts. */
export const generationRefused = from(['generating'], () => ({ stage: 'board' }))

export const generationFailed = from(['generating'], (_, __, reasons: string[]) => {
  return { stage: 'failed', reasons }
})

/** The report exists, in whichever way that was found out. */
export const generated = from(['waiting', ...BOARDS], () => ({ stage: 'scored' }))

/** Answers that wait are sent; otherwise the questions are asked for. */
const answersOrQuestions = (answered: Questions | undefined): RecordState =>
  answered ? { stage: 'submitting', questions: answered } : { stage: 'loading' }

/** Only missing roles of a roadmap are asked for: those without an assignment, if there are any. */
function draftOf({ test, roadmap }: RecordFile): Draft {
  if (!roadmap) return newDraft([{ limits: test.limits }])
  const missing = missingRoles(roadmap)
  const here = missing.filter(({ id }) => !assignmentOf(roadmap, id))
  return newDraft(here.length > 0 ? here : missing)
}

/** The typed details, without the roles that were registered elsewhere since. */
function missingOf(draft: Draft, { roadmap }: RecordFile): Draft {
  if (!roadmap) return draft
  const missing = missingRoles(roadmap).map(({ id }) => id)
  const people = draft.people.filter(({ role }) => !role || missing.includes(role.id))
  return { ...draft, people }
}
