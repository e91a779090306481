import { accountOf } from '../domain/assignee.ts'
import { isIn, isUnclaimed, type RecordFile } from '../domain/record/record.ts'
import { type Hand, holderOf, mayAnswer } from '../domain/roadmap.ts'
import type { Turn } from './turn.ts'

/** Whether this account may see it: its own, one that nobody has begun, a roadmap it was invited to. */
export const mayBeSeen = (turn: Turn, file: RecordFile): boolean =>
  isUnclaimed(file) || takesPart(turn, file) || openedHand(turn, file) !== undefined

/** Whether this account has begun it, or accepted a role of it. */
export const takesPart = (turn: Turn, file: RecordFile): boolean =>
  file.owner === turn.who || acceptedHands(turn, file).length > 0

/** The roles of somebody else's roadmap that this account has accepted. */
export const acceptedHands = (turn: Turn, { roadmap }: RecordFile): Hand[] =>
  roadmap?.hands.filter(({ assignee }) => accountOf(assignee) === turn.who) ?? []

/** The invitation to a role that this account has opened, while nobody has accepted it. */
export function openedHand(turn: Turn, { s, roadmap }: RecordFile): Hand | undefined {
  const code = turn.account.invited?.[s]
  return roadmap?.hands.find((hand) => hand.assignee.is === 'invited' && hand.code === code)
}

/** Whether this account may answer a record of a roadmap now. */
export function mayAnswerNow(
  { who }: Turn,
  { parent: own, owner: begunBy }: RecordFile,
  parent: RecordFile,
): boolean {
  const { roadmap, owner } = parent
  if (!roadmap || !own || !isIn(parent, 'board', 'failed')) return false
  // Somebody who takes no part otherwise has begun it by a link of its own.
  const isApart = begunBy !== undefined && begunBy !== holderOf(roadmap, own.role, owner)
  return isApart ? begunBy === who : mayAnswer(roadmap, own.role, who, owner)
}
