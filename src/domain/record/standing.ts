import type { Attempt } from '../attempt-layout.ts'
import { DAY_MS, OWED_DAYS } from '../durations.ts'
import { allFinished, isGiven } from '../roadmap.ts'
import { isIn, isResultOwed, type RecordFile, type RecordStage } from './record.ts'

/**
 * The standing of a record or roadmap, as every list, board, card and reminder shows it. `apart`: it was
 * begun by a link of its own, in another chat. `report`: only the roadmap's report is left.
 */
export type Standing =
  | { at: Exclude<RecordStage, 'intro' | 'questions'> | Elsewhere | 'apart' | 'report' }
  | { at: 'questions'; answered: number; total: number }

/** It goes on, or has ended, outside of this chat. `registered-elsewhere`: with details not typed here. */
type Elsewhere = 'elsewhere' | 'registered-elsewhere' | 'of-roadmap'

type Progress = Pick<Attempt, 'answered' | 'questions'>

/** The standing of a file, with the progress of its own questions while they have an attempt. */
export function standingOf(
  { state, roadmap }: Pick<RecordFile, 'state' | 'roadmap'>,
  attempt?: Progress | undefined,
): Standing {
  if (state.stage === 'intro') return { at: 'new' }
  if (state.stage === 'questions') return attempt ? underWay(attempt) : { at: 'loading' }
  // It is no test of its own and opens only with its roadmap.
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

/** Whether nothing is left to do in it. */
export const isOver = ({ at }: Standing): boolean => at === 'done' || isElsewhere({ at })

/** Whether it was finished outside of this chat, or opens only with its roadmap. No button leads to it. */
export const isElsewhere = ({ at }: Pick<Standing, 'at'>): boolean =>
  at === 'elsewhere' || at === 'registered-elsewhere' || at === 'of-roadmap'

/** The stages on the organizers' board, in the order in which participants pass them. */
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

/** The board shows this many days. An owed result, or a wait for an organizer, is shown longer. */
const BOARD_DAYS = 30
/** The list of files that were begun here and have ended elsewhere. */
export const NO_STAGE = 'elsewhere'

/** A participant with an unfinished test is stuck after this time without activity. */
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

/** The stage of a file on the board; `undefined` where nothing of it happens here, or no longer does. */
export function boardStageOf(file: RecordFile): BoardStage | undefined {
  if (isResultOwed(file) && (file.isHeldBack || isIn(file, 'done'))) return 'owed'
  if (isIn(file, 'scored') && file.roadmap) return 'analysis'
  if (isInvitedOnly(file)) return 'opened'
  // The service has refused nothing, so no organizer can help.
  if (isIn(file, 'refused') && file.state.isOurs) return 'submitting'
  return isUnfinished(file) && file.stuckAt !== undefined ? 'stuck' : BOARD_STAGE_OF[file.state.stage]
}

/** Whether its roles were invited one by one, and no account has begun. */
export const isInvitedOnly = (file: RecordFile): boolean =>
  isRoleInvited(file) && !file.roadmap?.isOpened && !file.roadmap?.hands.some(isGiven)

/** Whether its roles were invited one by one, and at least one of them has no account yet. */
export const isRoleInvited = (file: RecordFile): boolean =>
  isIn(file, 'board') && file.chatId === undefined && !file.roadmap?.hands.every(isGiven)

/** The stage in the table of everything that was begun here, including files that have ended elsewhere. */
export function tableStageOf(file: RecordFile): BoardStage | Elsewhere | undefined {
  if (!isIn(file, 'elsewhere') || file.state.ofRoadmap) return boardStageOf(file)
  return file.state.isOthers ? 'registered-elsewhere' : 'elsewhere'
}

/** Marks the list that comes first in its stage. */
const FLAGGED = '!'

/** The lists of a stage, those first that need attention, each with the time from which it is counted. */
export function boardLists(stage: BoardStage, now: number): { list: string; from: number }[] {
  const days = stage === 'opened' || stage === 'stuck' || stage === 'delivered' ? BOARD_DAYS : OWED_DAYS
  const from = now - days * DAY_MS
  const lists = stage === 'delivered' || stage === 'owed' ? [`${stage}${FLAGGED}`, stage] : [stage]
  return lists.map((list) => ({ list, from }))
}

/** The lists of all stages that need attention. */
export const flaggedLists = (now: number): { list: string; from: number }[] =>
  (['owed', 'delivered'] as const).flatMap((stage) => boardLists(stage, now).slice(0, 1))

/** The list of a record or roadmap: that of its stage, where it has one, or one that is only counted. */
export function boardListOf(file: RecordFile): { list: string | null; at?: number | undefined } {
  const stage = boardStageOf(file)
  if (isIn(file, 'new')) return { list: null }
  if (stage === 'stuck') return { list: stage, at: file.stuckAt }
  const isFirst = file.isFlagged && (stage === 'delivered' || stage === 'owed')
  return { list: isFirst ? `${stage}${FLAGGED}` : (stage ?? NO_STAGE) }
}

/** Whether a participant has something to do in it, and so may be stuck. */
export const isUnfinished = (file: RecordFile): boolean =>
  isIn(file, 'profile', 'code', 'loading', 'questions') ||
  (isIn(file, 'board') && file.roadmap !== undefined && !allFinished(file.roadmap))

/** How many of its own questions are answered, as far as is known. A roadmap itself has no questions. */
export function progressOf(
  file: RecordFile,
  attempt: Progress | undefined,
): { total: number | undefined; answered: number | undefined; isSent: boolean } {
  const total = attempt?.questions ?? file.test.questions
  if (isIn(file, 'submitting', 'refused', 'scored', 'done')) return { total, answered: total, isSent: true }
  return { total, answered: attempt?.answered, isSent: false }
}
