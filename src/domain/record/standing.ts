import type { Attempt } from '../attempt.ts'
import { DAY_MS } from '../durations.ts'
import { allFinished } from '../roadmap.ts'
import { isIn, isResultOwed, type RecordFile, type RecordStage } from './record.ts'

/**
 * Where a record or roadmap stands, as every list, board, card and reminder says it. `apart`: somebody has begun it by a
 * link of its own, in another chat; `report`: of a package only the report is left.
 */
export type Standing =
  | { at: Exclude<RecordStage, 'intro' | 'questions'> | 'of-roadmap' | 'apart' | 'report' }
  | { at: 'questions'; answered: number; total: number }

type Progress = Pick<Attempt, 'answered' | 'questions'>

/** Where it stands; with how far its own questions are answered, while there is such an attempt. */
export function standingOf({ state }: Pick<RecordFile, 'state'>, attempt?: Progress | undefined): Standing {
  if (state.stage === 'intro') return { at: 'new' }
  if (state.stage === 'questions') return attempt ? underWay(attempt) : { at: 'loading' }
  // No test of its own: it opens only with its package.
  if (state.stage === 'elsewhere' && state.ofRoadmap) return { at: 'of-roadmap' }
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
  at === 'elsewhere' || at === 'of-roadmap'

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
  'blocked',
] as const
export type BoardStage = (typeof BOARD_STAGES)[number]

/** Without activity for so long somebody with an unfinished test is stuck. */
export const STUCK_MS = DAY_MS

const BOARD_STAGE_OF = {
  new: 'opened',
  intro: 'opened',
  waiting: 'waiting',
  profile: 'profile',
  code: 'code',
  loading: 'answering',
  questions: 'answering',
  submitting: 'submitting',
  refused: 'submitting',
  board: 'answering',
  generating: 'analysis',
  failed: 'analysis',
  scored: 'submitting',
  done: 'delivered',
  elsewhere: undefined,
} as const satisfies Record<RecordStage, BoardStage | undefined>

/**
 * Where it stands on the board; `undefined` where nothing of it happens here any more. `activeAt`: the last time
 * anybody did something about it; `isBlocked`: whoever is owed the result has blocked the bot.
 */
export function boardStageOf(
  file: RecordFile,
  { now, activeAt, isBlocked }: { now: number; activeAt: number; isBlocked: boolean },
): BoardStage | undefined {
  if (isResultOwed(file) && (isBlocked || isIn(file, 'done'))) return 'blocked'
  if (isIn(file, 'scored') && file.roadmap) return 'analysis'
  return isUnfinished(file) && now - activeAt >= STUCK_MS ? 'stuck' : BOARD_STAGE_OF[file.state.stage]
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
