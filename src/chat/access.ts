import { isIn, isUnclaimed, type RecordFile } from '../domain/record/record.ts'
import { type Hand, mayAnswer } from '../domain/roadmap.ts'
import type { Turn } from './turn.ts'

/** Whether this account may see it: its own, one that nobody has begun, a roadmap it was invited to. */
export const mayBeSeen = (turn: Turn, file: RecordFile): boolean =>
  isUnclaimed(file) || takesPart(turn, file) || openedHand(turn, file) !== undefined

/** Whether this account has begun it, or accepted a role of it. */
export const takesPart = (turn: Turn, file: RecordFile): boolean =>
  file.owner === turn.who || acceptedHands(turn, file).length > 0

/** The roles of somebody else's roadmap that this account has accepted. */
export const acceptedHands = (turn: Turn, { roadmap }: RecordFile): Hand[] =>
  roadmap?.hands.filter(({ who }) => who === turn.who) ?? []

/** The invitation to a role that this account has opened, while nobody has accepted it. */
export function openedHand(turn: Turn, { s, roadmap }: RecordFile): Hand | undefined {
  const code = turn.account.invited?.[s]
  return roadmap?.hands.find((hand) => hand.who === undefined && hand.code === code)
}

/** Whether this account may answer a record of a roadmap now. */
export function mayAnswerNow(turn: Turn, { parent: own }: RecordFile, parent: RecordFile): boolean {
  const { roadmap, owner } = parent
  const isOpen = isIn(parent, 'board', 'failed')
  return isOpen && !!roadmap && !!own && mayAnswer(roadmap, own.role, turn.who, owner)
}
