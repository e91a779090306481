import {
  type Attempt,
  attemptLayout,
  encodeAttempt,
  isAttempt,
  type Look,
  openAttempt,
} from './attempt-layout.ts'
import { DAY_MS, OWED_DAYS } from './durations.ts'

/**
 * The moves of an attempt: one participant's pass through one record. The rules live here. Redis runs the
 * rule of an answer in `storage/redis-attempt-script.ts`, too, and a property test keeps both equal.
 *
 * `owner` is the first 8 bytes of the owner's keyed hash; an attempt of another owner is `gone`. Questions
 * and options count from 0. The store's clock gives the time of a move, because the replicas' clocks differ.
 * `first` and `change` are the same answer encrypted for the two streams (see `storage/attempt-cipher.ts`);
 * the move decides which one is stored.
 */
export type AttemptMove = { owner: Buffer } & (
  | {
      kind: 'answer'
      question: number
      revision: number
      first: number
      change: number
      /** A typed answer: a message id that is not newer than the last accepted one is `stale`. */
      messageId?: number
      allowBack: boolean
    }
  /** Shows an answered question again (with `allowBack`), or the first open one. The shown one is `stale`. */
  | { kind: 'go'; question: number; allowBack: boolean }
  /** Continue later, and back again. Both raise the revision, so older buttons become stale. */
  | { kind: 'pause' }
  | { kind: 'resume' }
  /** Changes how later questions are shown, unless the attempt is locked. The seal has to be made again. */
  | ({ kind: 'language' } & Pick<Look, 'language'> & { isLarge?: boolean | undefined; isNamed?: boolean })
)

type Answer = AttemptMove & { kind: 'answer' }

/** The outcome of a move, and the attempt after it. */
export type AttemptReply =
  | { status: 'gone' }
  /** `stale`: nothing was changed. `isFast`: an answer that came sooner than a person can read. */
  | ({ status: 'accepted' | 'stale'; isFast: boolean } & AttemptView)

/** What the chat needs to show an attempt. `view`: the shown question; at the review, `questions`. */
export type AttemptView = Pick<
  Attempt,
  'state' | 'revision' | 'questions' | 'view' | 'answered' | keyof Look
> & { activeSeconds: number }

/** The numbers of the rules; milliseconds where the name says nothing else. */
export const attemptRules = {
  longestGapMs: 5 * 60_000,
  longPauseMs: 60 * 60_000,
  fastAnswerMs: 1_000,
  mostChanges: 2_000,
  completeRetentionSeconds: (OWED_DAYS * DAY_MS) / 1_000,
} as const

/** The fields that an attempt is given at its beginning and keeps. */
type NewAttempt = Pick<
  Attempt,
  'owner' | 'id' | 'contentHash' | 'questions' | 'language' | 'dataKey' | 'retentionSeconds'
> & { at: number; isLarge?: boolean | undefined }

const most = (bytes: number) => 2 ** (8 * bytes) - 1

/** Begins an attempt at its first question. `id`: 8 random bytes that the answers' keystreams derive from. */
export function newAttempt({ at, ...given }: NewAttempt): Buffer {
  // The largest number stands for "no such question" on the wire to Redis.
  if (!Number.isInteger(given.questions) || given.questions < 1 || given.questions >= most(2)) {
    throw new RangeError('an attempt has 1 to 65,534 questions')
  }
  return encodeAttempt({
    ...given,
    isLarge: given.isLarge === true,
    isNamed: false,
    layout: attemptLayout.version,
    retentionSeconds: Math.ceil(given.retentionSeconds),
    state: 'open',
    view: 0,
    answered: 0,
    revision: 1,
    activeMs: 0,
    lastActivityAt: at,
    shownAt: at,
    lastMessageId: 0,
    fastAnswers: 0,
    pauses: 0,
    resumes: 0,
    mac: Buffer.alloc(attemptLayout.bytes.mac),
    macRevision: 0,
    firsts: Buffer.alloc(0),
    changes: [],
  })
}

/** When an attempt expires that was last moved at `at`. */
export function attemptKeptUntil(
  attempt: Pick<Attempt, 'questions' | 'answered' | 'retentionSeconds'>,
  at: number,
): number {
  const least = isComplete(attempt) ? attemptRules.completeRetentionSeconds : 0
  return at + Math.max(attempt.retentionSeconds, least) * 1000
}

/** Applies a move to a stored attempt at this time. `changed` is absent when there is nothing to write. */
export function applyMove(
  buffer: Buffer,
  move: AttemptMove,
  at: number,
): { changed?: { value: Buffer; expiresAt: number }; reply: AttemptReply } {
  if (!isAttempt(buffer)) return { reply: { status: 'gone' } }
  const attempt = openAttempt(buffer)
  if (!attempt.owner.equals(move.owner)) return { reply: { status: 'gone' } }
  const next = moved(attempt, move, at)
  if (!next) return { reply: { status: 'stale', isFast: false, ...attemptView(attempt) } }
  const changed = { value: encodeAttempt(next), expiresAt: attemptKeptUntil(next, at) }
  const isFast = next.fastAnswers > attempt.fastAnswers
  return { changed, reply: { status: 'accepted', isFast, ...attemptView(next) } }
}

/** The question whose answer the newest move has changed; `undefined` when it changed none. */
export function justChanged(attempt: Pick<Attempt, 'changes' | 'revision'>): number | undefined {
  const newest = attempt.changes.at(-1)
  return newest && newest.revision === attempt.revision - 1 ? newest.question : undefined
}

/** Reads from a stored attempt what the chat needs to show it. */
export function attemptView(attempt: Attempt): AttemptView {
  const { state, revision, questions, view, answered, activeMs, language, isLarge, isNamed } = attempt
  const activeSeconds = Math.floor(activeMs / 1000)
  return { state, revision, questions, view, answered, activeSeconds, language, isLarge, isNamed }
}

function moved(attempt: Attempt, move: AttemptMove, at: number): Attempt | undefined {
  const { state, revision } = attempt
  switch (move.kind) {
    case 'answer':
      return answeredBy(attempt, move, at)
    case 'go': {
      const isOpenTo =
        move.question === attempt.answered || (move.allowBack && isAnswered(attempt, move.question))
      if (state !== 'open' || !isOpenTo || move.question === attempt.view) return undefined
      return { ...attempt, view: move.question, shownAt: at, revision: revision + 1 }
    }
    case 'pause':
      if (state !== 'open') return undefined
      return { ...active(attempt, at), state: 'paused', revision: revision + 1 }
    case 'resume':
      if (state !== 'paused') return undefined
      return {
        ...attempt,
        state: 'open',
        pauses: pausesAt(attempt, at),
        resumes: counted(attempt.resumes),
        revision: revision + 1,
        shownAt: at,
        lastActivityAt: Math.max(at, attempt.lastActivityAt),
      }
    case 'language':
      return withLook(attempt, {
        language: move.language,
        isLarge: move.isLarge === true,
        isNamed: move.isNamed ?? attempt.isNamed,
      })
  }
}

function withLook(attempt: Attempt, look: Look): Attempt | undefined {
  const { language, isLarge, isNamed } = attempt
  const isSame = look.language === language && look.isLarge === isLarge && look.isNamed === isNamed
  return attempt.state === 'locked' || isSame ? undefined : { ...attempt, ...look, macRevision: 0 }
}

function answeredBy(attempt: Attempt, move: Answer, at: number): Attempt | undefined {
  const { question, revision, messageId } = move
  if (attempt.state !== 'open' || question !== attempt.view || revision !== attempt.revision) return undefined
  if (messageId !== undefined && !isNewMessage(messageId, attempt.lastMessageId)) return undefined

  const kept = keptAnswer(attempt, move)
  if (!kept) return undefined
  const shownMs = at - attempt.shownAt
  // A negative time comes from another clock.
  const isFast = shownMs >= 0 && shownMs < attemptRules.fastAnswerMs
  return {
    ...active(attempt, at),
    ...kept,
    view: kept.answered,
    revision: revision + 1,
    shownAt: at,
    lastMessageId: messageId ?? attempt.lastMessageId,
    fastAnswers: isFast ? counted(attempt.fastAnswers) : attempt.fastAnswers,
  }
}

function keptAnswer(attempt: Attempt, { question, revision, first, change, allowBack }: Answer) {
  const { firsts, changes, answered } = attempt
  if (question === answered && !isComplete(attempt)) {
    return { firsts: Buffer.concat([firsts, Buffer.of(first)]), changes, answered: answered + 1 }
  }
  const mayChange = allowBack && isAnswered(attempt, question) && changes.length < attemptRules.mostChanges
  return mayChange && { firsts, changes: [...changes, { question, revision, byte: change }], answered }
}

/** Counts the time since the last activity as active, up to a gap in which a person may still read. */
function active(attempt: Attempt, at: number): Attempt {
  const gap = Math.min(Math.max(at - attempt.lastActivityAt, 0), attemptRules.longestGapMs)
  const activeMs = Math.min(attempt.activeMs + gap, most(attemptLayout.numbers.activeMs))
  // A clock can be set back. Counting never restarts earlier than it stopped.
  return {
    ...attempt,
    activeMs,
    pauses: pausesAt(attempt, at),
    lastActivityAt: Math.max(at, attempt.lastActivityAt),
  }
}

/** A gap longer than an hour is a pause, whichever way it began. */
const pausesAt = ({ pauses, lastActivityAt }: Attempt, at: number): number =>
  at - lastActivityAt > attemptRules.longPauseMs ? counted(pauses) : pauses

const isComplete = ({ questions, answered }: Pick<Attempt, 'questions' | 'answered'>) =>
  answered === questions
const isAnswered = ({ answered }: Attempt, question: number) =>
  Number.isInteger(question) && question >= 0 && question < answered
const isNewMessage = (id: number, last: number) => Number.isInteger(id) && id > last && id <= most(4)
const counted = (count: number) => Math.min(count + 1, most(2))
