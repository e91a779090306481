import { DAY_MS } from '../durations.ts'
import { allFinished } from '../roadmap.ts'
import { isIn, type RecordFile } from './record.ts'

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

const STAGES = {
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
} as const satisfies Record<RecordFile['state']['stage'], BoardStage | undefined>

/**
 * Where it stands on the board; `undefined` where nothing of it happens here any more. `activeAt`: the last time
 * anybody did something about it; `isBlocked`: whoever is owed the result has blocked the bot.
 */
export function boardStageOf(
  file: RecordFile,
  { now, activeAt, isBlocked }: { now: number; activeAt: number; isBlocked: boolean },
): BoardStage | undefined {
  const isOwed = isIn(file, 'scored') || (isIn(file, 'done') && file.state.isOwed === true)
  if (isOwed && (isBlocked || isIn(file, 'done'))) return 'blocked'
  if (isIn(file, 'scored') && file.roadmap) return 'analysis'
  return isUnfinished(file) && now - activeAt >= STUCK_MS ? 'stuck' : STAGES[file.state.stage]
}

/** Whether it is the participants who have to go on. */
export const isUnfinished = (file: RecordFile): boolean =>
  isIn(file, 'profile', 'code', 'loading', 'questions') ||
  (isIn(file, 'board') && file.roadmap !== undefined && !allFinished(file.roadmap))
