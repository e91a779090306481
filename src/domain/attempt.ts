import {
  type Attempt,
  attemptLayout,
  encodeAttempt,
  isAttempt,
  type Look,
  openAttempt,
} from './attempt-layout.ts'
import { DAY_MS, OWED_DAYS } from './durations.ts'

export { type Attempt, type AttemptChange, type AttemptState, openAttempt } from './attempt-layout.ts'

/**
 * What can happen to an attempt: one participant's pass through one record. The rules live here; Redis runs that of
 * an answer in `storage/redis-attempt-script.ts`, too, and a property test holds them equal.
 *
 * `owner` is the first 8 bytes of the owner's keyed hash; an attempt of another owner is `gone`. Questions and options
 * count from 0. When a move was made the store says, by its own clock: those of the replicas differ. `first` and
 * `change` are the same answer encrypted for the two streams (see `storage/attempt-cipher.ts`): which of them is kept
 * is decided in the step.
 */
export type AttemptMove = { owner: Buffer } & (
  | {
      kind: 'answer'
      question: number
      revision: number
      first: number
      change: number
      /** A typed answer: a message id that is not newer than the last one taken is `stale`. */
      messageId?: number
      allowBack: boolean
    }
  /** Shows an answered question again (with `allowBack`), or the first open one. What is shown already is `stale`. */
  | { kind: 'go'; question: number; allowBack: boolean }
  /** Continue later, and back again. Both raise the revision, so older buttons are stale. */
  | { kind: 'pause' }
  | { kind: 'resume' }
  /** The language of what follows, while something follows (nothing follows what is locked): what is sealed is to be sealed anew. */
  | ({ kind: 'language' } & Pick<Look, 'language'> & { isLarge?: boolean | undefined; isNamed?: boolean })
)

type Answer = AttemptMove & { kind: 'answer' }

/** What became of a move, and how the attempt stands after it. */
export type AttemptReply =
  | { status: 'gone' }
  /** `stale`: nothing was changed, this is what stands. `isFast`: an answer that came sooner than one can read. */
  | ({ status: 'accepted' | 'stale'; isFast: boolean } & AttemptView)

/** What the chat needs to know of an attempt to show it. `view` is the shown question: `questions` at the review. */
export type AttemptView = Pick<
  Attempt,
  'state' | 'revision' | 'questions' | 'view' | 'answered' | keyof Look
> & { activeSeconds: number }

/** What the rules count with; milliseconds where the name says nothing else. */
export const attemptRules = {
  longestGapMs: 5 * 60_000,
  longPauseMs: 60 * 60_000,
  fastAnswerMs: 1_000,
  mostChanges: 2_000,
  completeRetentionSeconds: (OWED_DAYS * DAY_MS) / 1_000,
} as const

/** What an attempt is given at its beginning and keeps. */
type NewAttempt = Pick<
  Attempt,
  'owner' | 'id' | 'contentHash' | 'questions' | 'language' | 'dataKey' | 'retentionSeconds'
> & { at: number; isLarge?: boolean | undefined }

const most = (bytes: number) => 2 ** (8 * bytes) - 1

/** Begins an attempt at its first question. `id` is 8 random bytes: its answers' keystreams grow from it. */
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

/** Until when an attempt is kept that was last moved at `at`. */
export function attemptKeptUntil(
  attempt: Pick<Attempt, 'questions' | 'answered' | 'retentionSeconds'>,
  at: number,
): number {
  const least = isComplete(attempt) ? attemptRules.completeRetentionSeconds : 0
  return at + Math.max(attempt.retentionSeconds, least) * 1000
}

/** Moves a kept attempt by the rules, at this time. `changed` is absent when nothing is to be written. */
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

/** The question whose answer was changed by the newest move; `undefined` when that was another one. */
export function justChanged(attempt: Pick<Attempt, 'changes' | 'revision'>): number | undefined {
  const newest = attempt.changes.at(-1)
  return newest && newest.revision === attempt.revision - 1 ? newest.question : undefined
}

/** What the chat needs to know of a kept attempt to show it. */
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
      return looked(attempt, {
        language: move.language,
        isLarge: move.isLarge === true,
        isNamed: move.isNamed ?? attempt.isNamed,
      })
  }
}

function looked(attempt: Attempt, look: Look): Attempt | undefined {
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
  const lookedAtMs = at - attempt.shownAt
  // A time that has not come yet was of another clock.
  const isFast = lookedAtMs >= 0 && lookedAtMs < attemptRules.fastAnswerMs
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

/** The time since the last activity counts as active, as far as anybody can be thought to have looked at it. */
function active(attempt: Attempt, at: number): Attempt {
  const gap = Math.min(Math.max(at - attempt.lastActivityAt, 0), attemptRules.longestGapMs)
  const activeMs = Math.min(attempt.activeMs + gap, most(attemptLayout.numbers.activeMs))
  // A clock can be set back: counting never starts again earlier than it stopped.
  return {
    ...attempt,
    activeMs,
    pauses: pausesAt(attempt, at),
    lastActivityAt: Math.max(at, attempt.lastActivityAt),
  }
}

/** A pause is what was longer than an hour, whichever way it began. */
const pausesAt = ({ pauses, lastActivityAt }: Attempt, at: number): number =>
  at - lastActivityAt > attemptRules.longPauseMs ? counted(pauses) : pauses

const isComplete = ({ questions, answered }: Pick<Attempt, 'questions' | 'answered'>) =>
  answered === questions
const isAnswered = ({ answered }: Attempt, question: number) =>
  Number.isInteger(question) && question >= 0 && question < answered
const isNewMessage = (id: number, last: number) => Number.isInteger(id) && id > last && id <= most(4)
const counted = (count: number) => Math.min(count + 1, most(2))
