import { isMine } from '../chat/access.ts'
import { isPending } from '../chat/call.ts'
import type { Aside } from '../chat/due.ts'
import { focusedFile } from '../chat/files.ts'
import { isOrganizer } from '../chat/organizer.ts'
import type { Turn } from '../chat/turn.ts'
import type { Account, Takes } from '../domain/account.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'

/** What a chat expects to be typed or sent next: a question beside the dialog comes before the one of the dialog. */
export type Expected =
  | { is: Aside['ask'] }
  /** A mobile that was typed is being compared. */
  | { is: 'comparison'; takes: Takes }
  /** The profile is being made; `isCall`: the service is being asked. */
  | { is: 'detail'; file: RecordFile; isCall: boolean }
  /** The profile was made just now, and its questions are on their way. */
  | { is: 'questions' }
  | { is: 'answer'; file: RecordFile }
  | { is: 'nothing'; file: RecordFile | undefined }

type Known = {
  turn: Pick<Turn, 'account' | 'now'>
  isOrganizer: boolean
  /** What the chat is about, if this account may see it. */
  file: RecordFile | undefined
  isMine: boolean
}

export function expectedOf({ turn, isOrganizer, file, isMine }: Known): Expected {
  const { account } = turn
  const [s] = Object.keys(account.pending).filter((each) => account.pending[each]?.takes)
  const takes = s !== undefined && isPending(turn, s) && account.pending[s]?.takes
  if (takes) return { is: 'comparison', takes }
  const ask = asideOf(account)
  if (ask && (isOrganizer || ask === 'known-mobile')) return { is: ask }
  if (!file || !isMine) return { is: 'nothing', file }
  const isCall = isPending(turn, file.s)
  if (isIn(file, 'profile', 'code')) return { is: 'detail', file, isCall }
  if (isIn(file, 'loading') && isCall) return { is: 'questions' }
  return { is: isIn(file, 'questions') ? 'answer' : 'nothing', file }
}

export async function expectedNow(turn: Turn): Promise<Expected> {
  const file = await focusedFile(turn)
  const own = file !== undefined && (await isMine(turn, file))
  return expectedOf({ turn, isOrganizer: isOrganizer(turn), file, isMine: own })
}

const ASIDES = ['lines', 'external-id', 'known-mobile'] as const satisfies readonly Aside['ask'][]

/** The question beside the dialog that waits. */
export const asideOf = ({ aside }: Account): Aside['ask'] | undefined =>
  ASIDES.find((ask) => aside?.state[ask])

/** Something else is opened: what is typed from here on is no mobile. One that is being compared still counts. */
export function leaveMobile({ account }: Turn): void {
  if (asideOf(account) === 'known-mobile') delete account.aside
}
