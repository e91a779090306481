import type { Attempt } from '../attempt.ts'
import { DAY_MS, OWED_DAYS } from '../durations.ts'
import { allFinished, isGiven } from '../roadmap.ts'
import { isIn, isResultOwed, type RecordFile, type RecordStage } from './record.ts'

/**
 * Where a record or roadmap stands, as every list, board, card and reminder says it. `apart`: somebody has begun it by a
 * link of its own, in another chat; `report`: of a package only the report is left.
 */
export type Standing =
  | { at: Exclude<RecordStage, 'intro' | 'questions'> | Elsewhere | 'apart' | 'report' }
  | { at: 'questions'; answered: number; total: number }

/** It goes on, or has ended, outside of this chat; `registered-elsewhere`: with details that were not typed here. */
type Elsewhere = 'elsewhere' | 'registered-elsewhere' | 'of-roadmap'

type Progress = Pick<Attempt, 'answered' | 'questions'>

/** Where it stands; with how far its own questions are answered, while there is such an attempt. */
export function standingOf(
  { state, roadmap }: Pick<RecordFile, 'state' | 'roadmap'>,
  attempt?: Progress | undefined,
): Standing {
  if (state.stage === 'intro') return { at: 'new' }
  if (state.stage === 'questions') return attempt ? underWay(attempt) : { at: 'loading' }
  // No test of its own: it opens only with its package.
  if (state.stage === 'elsewhere' && state.ofRoadmap) return { at: 'of-roadmap' }
  if (state.stage === 'elsewhere' && state.isOthers) return { at: 'registered-elsewhere' }
  if (state.stage === 'board' && roadmap && allFinished(roadmap)) return { at: 'report' }
  return { at: state.stage }
}

export const underWay = ({ answered, questions }: Progress): Standing => ({
  at: 'questions',
  answered,
  total: questions,
})

/** Nothing is left to do in it. */
export const isOver = ({ at }: Standing): boolean => at === 'done' || isElsewhere({ at })

/** It was finished outside of this chat, or opens only with its package: no button leads there. */
export const isElsewhere = ({ at }: Pick<Standing, 'at'>): boolean =>
  at === 'elsewhere' || at === 'registered-elsewhere' || at === 'of-roadmap'

/** Where a record or roadmap may stand on the board of organizers, in the order in which people pass. */
export const BOARD_STAGES = [
  'opened',
  'profile',
  'code',
  'answering',
  'stuck',
  'submitting',
  'waiting',
  'analysis',
  'delivered',
  'owed',
] as const
export type BoardStage = (typeof BOARD_STAGES)[number]

/** What the board shows of is at most so old; what is owed to somebody, or waits for an organizer, stays longer. */
const BOARD_DAYS = 30
/** The list of what was begun and has ended elsewhere. */
export const NO_STAGE = 'elsewhere'

/** Without activity for so long somebody with an unfinished test is stuck. */
export const STUCK_MS = DAY_MS

const BOARD_STAGE_OF = {
  new: undefined,
  intro: 'opened',
  waiting: 'waiting',
  profile: 'profile',
  code: 'code',
  given: undefined,
  loading: 'answering',
  questions: 'answering',
  submitting: 'submitting',
  refused: 'waiting',
  board: 'answering',
  generating: 'analysis',
  failed: 'analysis',
  scored: 'submitting',
  done: 'delivered',
  elsewhere: undefined,
} as const satisfies Record<RecordStage, BoardStage | undefined>

/** Where it stands on the board; `undefined` where nothing of it happens here, or not any more. */
export function boardStageOf(file: RecordFile): BoardStage | undefined {
  if (isResultOwed(file) && (file.isHeldBack || isIn(file, 'done'))) return 'owed'
  if (isIn(file, 'scored') && file.roadmap) return 'analysis'
  if (isInvitedOnly(file)) return 'opened'
  // The service has refused nothing: no organizer can help.
  if (isIn(file, 'refused') && file.state.isOurs) return 'submitting'
  return isUnfinished(file) && file.stuckAt !== undefined ? 'stuck' : BOARD_STAGE_OF[file.state.stage]
}

/** Its roles were invited one by one, and nobody has begun. */
export const isInvitedOnly = (file: RecordFile): boolean =>
  isRoleInvited(file) && !file.roadmap?.isOpened && !file.roadmap?.hands.some(isGiven)

/** Its roles were invited one by one, and at least one of them waits for somebody. */
export const isRoleInvited = (file: RecordFile): boolean =>
  isIn(file, 'board') && file.chatId === undefined && !file.roadmap?.hands.every(isGiven)

/** Where it stands in the table of what was begun here, which has what has ended elsewhere, too. */
export function tableStageOf(file: RecordFile): BoardStage | Elsewhere | undefined {
  if (!isIn(file, 'elsewhere') || file.state.ofRoadmap) return boardStageOf(file)
  return file.state.isOthers ? 'registered-elsewhere' : 'elsewhere'
}

/** What stands first in the list of its stage. */
const FLAGGED = '!'

/** The lists of a stage, those first that need a look, each with how far back it is counted. */
export function boardLists(stage: BoardStage, now: number): { list: string; from: number }[] {
  const days = stage === 'opened' || stage === 'stuck' || stage === 'delivered' ? BOARD_DAYS : OWED_DAYS
  const from = now - days * DAY_MS
  const lists = stage === 'delivered' || stage === 'owed' ? [`${stage}${FLAGGED}`, stage] : [stage]
  return lists.map((list) => ({ list, from }))
}

/** Of all stages the lists of those that need a look. */
export const flaggedLists = (now: number): { list: string; from: number }[] =>
  (['owed', 'delivered'] as const).flatMap((stage) => boardLists(stage, now).slice(0, 1))

/** The list that a record or roadmap stands in: that of its stage, where it has one, or one that is only counted. */
export function boardListOf(file: RecordFile): { list: string | null; at?: number | undefined } {
  const stage = boardStageOf(file)
  if (isIn(file, 'new')) return { list: null }
  if (stage === 'stuck') return { list: stage, at: file.stuckAt }
  const isFirst = file.isFlagged && (stage === 'delivered' || stage === 'owed')
  return { list: isFirst ? `${stage}${FLAGGED}` : (stage ?? NO_STAGE) }
}

/** Whether somebody has something to do in it who may be stuck. */
export const isUnfinished = (file: RecordFile): boolean =>
  isIn(file, 'profile', 'code', 'loading', 'questions') ||
  (isIn(file, 'board') && file.roadmap !== undefined && !allFinished(file.roadmap))

/** How far its own questions are answered, as far as anybody knows; a roadmap itself has none. */
export function progressOf(
  file: RecordFile,
  attempt: Progress | undefined,
): { total: number | undefined; answered: number | undefined; isSent: boolean } {
  const total = attempt?.questions ?? file.test.questions
  if (isIn(file, 'submitting', 'refused', 'scored', 'done')) return { total, answered: total, isSent: true }
  return { total, answered: attempt?.answered, isSent: false }
}
