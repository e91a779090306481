import type { Language } from '../texts/languages.ts'
import { DAY_MS, OWED_DAYS } from './durations.ts'
import {
  encodeSitting,
  isSitting,
  openSitting,
  type Sitting,
  type SittingState,
  sittingLayout,
} from './sitting-layout.ts'

export { openSitting, type Sitting, type SittingChange, type SittingState } from './sitting-layout.ts'

/**
 * What can happen to a sitting: one participant's pass through one record. The rules live here; Redis runs the same
 * ones in `store/redis-sitting-script.ts`, and a property test holds them equal.
 *
 * `owner` is the first 8 bytes of the owner's keyed hash; a sitting of another owner is `gone`. Questions and options
 * count from 0. When a move was made the store says, by its own clock: those of the replicas differ. `first` and `change` are the same answer encrypted for the two streams (see `store/sitting-cipher.ts`):
 * which of them is kept is decided in the step.
 */
export type SittingMove = { owner: Buffer } & (
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
  | { kind: 'language'; language: Language }
)

type Answer = SittingMove & { kind: 'answer' }

/** What became of a move, and how the sitting stands after it. */
export type SittingReply =
  | { status: 'gone' }
  /** `stale`: nothing was changed, this is what stands. `isFast`: an answer that came sooner than one can read. */
  | ({ status: 'accepted' | 'stale'; isFast: boolean } & SittingView)

/** What the chat needs to know of a sitting to show it. */
export type SittingView = {
  state: SittingState
  revision: number
  /** Number of questions; the shown question, equal to `questions` when all are answered (the review). */
  questions: number
  view: number
  answered: number
  activeSeconds: number
  language: Language
}

/** What the rules count with; milliseconds where the name says nothing else. */
export const sittingRules = {
  longestGapMs: 5 * 60_000,
  longPauseMs: 60 * 60_000,
  fastAnswerMs: 1_000,
  mostChanges: 2_000,
  completeRetentionSeconds: (OWED_DAYS * DAY_MS) / 1_000,
} as const

/** What a sitting is given at its beginning and keeps. */
type NewSitting = Pick<
  Sitting,
  'owner' | 'id' | 'contentHash' | 'questions' | 'language' | 'dataKey' | 'retentionSeconds'
> & { at: number }

const most = (bytes: number) => 2 ** (8 * bytes) - 1

/** Begins a sitting at its first question. `id` is 8 random bytes: its answers' keystreams grow from it. */
export function newSitting({ at, ...given }: NewSitting): Buffer {
  // The largest number stands for "no such question" on the wire to Redis.
  if (!Number.isInteger(given.questions) || given.questions < 1 || given.questions >= most(2)) {
    throw new RangeError('a sitting has 1 to 65,534 questions')
  }
  return encodeSitting({
    ...given,
    layout: sittingLayout.version,
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
    mac: Buffer.alloc(sittingLayout.bytes.mac),
    macRevision: 0,
    firsts: Buffer.alloc(0),
    changes: [],
  })
}

/** Until when a sitting is kept that was last moved at `at`. */
export function sittingKeptUntil(
  sitting: Pick<Sitting, 'questions' | 'answered' | 'retentionSeconds'>,
  at: number,
): number {
  const { completeRetentionSeconds } = sittingRules
  const seconds = isComplete(sitting)
    ? Math.max(sitting.retentionSeconds, completeRetentionSeconds)
    : sitting.retentionSeconds
  return at + seconds * 1000
}

/** Moves a kept sitting by the rules, at this time. `changed` is absent when nothing is to be written. */
export function applyMove(
  buffer: Buffer,
  move: SittingMove,
  at: number,
): { changed?: { value: Buffer; expiresAt: number }; reply: SittingReply } {
  if (!isSitting(buffer)) return { reply: { status: 'gone' } }
  const sitting = openSitting(buffer)
  if (!sitting.owner.equals(move.owner)) return { reply: { status: 'gone' } }
  const next = moved(sitting, move, at)
  if (!next) return { reply: { status: 'stale', isFast: false, ...sittingView(sitting) } }
  const changed = { value: encodeSitting(next), expiresAt: sittingKeptUntil(next, at) }
  const isFast = next.fastAnswers > sitting.fastAnswers
  return { changed, reply: { status: 'accepted', isFast, ...sittingView(next) } }
}

/** The question whose answer was changed by the newest move; `undefined` when that was another one. */
export function justChanged({
  changes,
  revision,
}: Pick<Sitting, 'changes' | 'revision'>): number | undefined {
  const newest = changes.at(-1)
  return newest && newest.revision === revision - 1 ? newest.question : undefined
}

/** What the chat needs to know of a kept sitting to show it. */
export function sittingView(sitting: Sitting): SittingView {
  const { state, revision, questions, view, answered, activeMs, language } = sitting
  const activeSeconds = Math.floor(activeMs / 1000)
  return { state, revision, questions, view, answered, activeSeconds, language }
}

function moved(sitting: Sitting, move: SittingMove, at: number): Sitting | undefined {
  const { state, revision } = sitting
  switch (move.kind) {
    case 'answer':
      return answeredBy(sitting, move, at)
    case 'go': {
      const isOpenTo =
        move.question === sitting.answered || (move.allowBack && isAnswered(sitting, move.question))
      if (state !== 'open' || !isOpenTo || move.question === sitting.view) return undefined
      return { ...sitting, view: move.question, shownAt: at, revision: revision + 1 }
    }
    case 'pause':
      if (state !== 'open') return undefined
      return {
        ...active(sitting, at),
        state: 'paused',
        revision: revision + 1,
      }
    case 'resume':
      if (state !== 'paused') return undefined
      return {
        ...sitting,
        state: 'open',
        pauses: pausesAt(sitting, at),
        resumes: counted(sitting.resumes),
        revision: revision + 1,
        shownAt: at,
        lastActivityAt: Math.max(at, sitting.lastActivityAt),
      }
    case 'language':
      if (state === 'locked' || move.language === sitting.language) return undefined
      return { ...sitting, language: move.language, macRevision: 0 }
  }
}

function answeredBy(sitting: Sitting, move: Answer, at: number): Sitting | undefined {
  const { question, revision, messageId } = move
  if (sitting.state !== 'open' || question !== sitting.view || revision !== sitting.revision) return undefined
  if (messageId !== undefined && !isNewMessage(messageId, sitting.lastMessageId)) return undefined

  const kept = keptAnswer(sitting, move)
  if (!kept) return undefined
  const lookedAtMs = at - sitting.shownAt
  // A time that has not come yet was of another clock.
  const isFast = lookedAtMs >= 0 && lookedAtMs < sittingRules.fastAnswerMs
  return {
    ...active(sitting, at),
    ...kept,
    view: kept.answered,
    revision: revision + 1,
    shownAt: at,
    lastMessageId: messageId ?? sitting.lastMessageId,
    fastAnswers: isFast ? counted(sitting.fastAnswers) : sitting.fastAnswers,
  }
}

function keptAnswer(sitting: Sitting, { question, revision, first, change, allowBack }: Answer) {
  const { firsts, changes, answered } = sitting
  if (question === answered && !isComplete(sitting)) {
    return { firsts: Buffer.concat([firsts, Buffer.of(first)]), changes, answered: answered + 1 }
  }
  if (!allowBack || !isAnswered(sitting, question) || changes.length >= sittingRules.mostChanges)
    return undefined
  return { firsts, changes: [...changes, { question, revision, byte: change }], answered }
}

/** The time since the last activity counts as active, as far as anybody can be thought to have looked at it. */
function active(sitting: Sitting, at: number): Sitting {
  const gap = Math.min(Math.max(at - sitting.lastActivityAt, 0), sittingRules.longestGapMs)
  const activeMs = Math.min(sitting.activeMs + gap, most(sittingLayout.numbers.activeMs))
  // A clock can be set back: counting never starts again earlier than it stopped.
  return {
    ...sitting,
    activeMs,
    pauses: pausesAt(sitting, at),
    lastActivityAt: Math.max(at, sitting.lastActivityAt),
  }
}

/** A pause is what was longer than an hour, whichever way it began. */
const pausesAt = ({ pauses, lastActivityAt }: Sitting, at: number): number =>
  at - lastActivityAt > sittingRules.longPauseMs ? counted(pauses) : pauses

const isComplete = ({ questions, answered }: Pick<Sitting, 'questions' | 'answered'>) =>
  answered === questions
const isAnswered = ({ answered }: Sitting, question: number) =>
  Number.isInteger(question) && question >= 0 && question < answered
const isNewMessage = (id: number, last: number) => Number.isInteger(id) && id > last && id <= most(4)
const counted = (count: number) => Math.min(count + 1, most(2))
