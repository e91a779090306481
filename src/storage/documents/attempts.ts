import { type Assignee, accountOf, FREE, isIn } from '../../domain/assignee.ts'
import { type Attempt, openAttempt as open } from '../../domain/attempt.ts'
import type { RecordFile } from '../../domain/record/record.ts'
import { assignmentOf, isGiven } from '../../domain/roadmap.ts'
import { readable } from '../../domain/unreadable.ts'
import type { Kept } from '../documents.ts'
import type { Entry } from '../store.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import type { Vault } from '../vault.ts'
import { assignees, recordFiles, tokenKey } from './kinds.ts'

/** The key that a record's attempt lies under. An attempt is bytes, no document: see `domain/attempt.ts`. */
export const attemptKey = (s: string): string => `s:${s}`

/** Reads an attempt as it is kept; throws an `UnreadableError` when it is none. */
export const openAttempt = ({ value }: Entry): Attempt => readable(() => open(value))

/** Whose an attempt is: the account, nobody while it is released, and the record that it answers. */
export type Whose = { who: string | undefined; s: string }

/**
 * Who may move an attempt: the account, the record and this very attempt, so that a button of one that was started over,
 * a process that remembers the older one, or one that lies in the place of another moves nothing. A released one is nobody's.
 */
export const attemptOwner = (
  vault: Vault,
  { who = 'released', s }: Whose,
  { id }: Pick<Attempt, 'id'>,
): Buffer => vault.owner8([who, id.toString('hex'), s].join(':'))

/** Opens a kept attempt, unless it is another's: whoever can write to the store cannot give it to anybody else. */
export function openAttemptOf(vault: Vault, whose: Whose, entry: Entry): Attempt | undefined {
  const attempt = openAttempt(entry)
  return attempt.owner.equals(attemptOwner(vault, whose, attempt)) ? attempt : undefined
}

/** Reads the attempt of a record, unless it is another's. */
export async function readAttemptOf({ store, vault }: Kept, whose: Whose): Promise<Attempt | undefined> {
  const [entry] = await store.read([attemptKey(whose.s)])
  return entry && openAttemptOf(vault, whose, entry)
}

/** The same attempt with something changed by us: sealed again if it was sound, and as harmed as it was if not. */
export function resealed({ attemptCipher }: Vault, s: string, attempt: Attempt, changes: Partial<Attempt>) {
  const changed = { ...attempt, ...changes }
  return attemptCipher.verify(s, attempt) === 'sound'
    ? { ...changed, mac: attemptCipher.mac(s, changed) }
    : changed
}

/** A unit of work, or whatever else reads documents one by one. */
export type Reading = Pick<UnitOfWork, 'get' | 'vault'>

/**
 * Who may answer a record or roadmap. A test of a roadmap is whose its role is, unless it was begun by a link of its own; a
 * role that nobody has accepted yet is whose the whole is.
 */
async function assigneeOf(work: Reading, { token, parent }: RecordFile): Promise<Assignee> {
  const own = (await work.get(assignees, tokenKey(work.vault, token))) ?? FREE
  const whole = parent && (await work.get(recordFiles, parent.s))
  if (!whole || isIn(own, 'taken', 'over', 'released')) return own
  const hand = whole.roadmap && assignmentOf(whole.roadmap, parent.role)
  return hand && isGiven(hand) ? hand.assignee : assigneeOf(work, whole)
}

/** The account whose it is; nobody before it is begun, while it is released, and when it was forgotten. */
export const ownerOf = async (work: Reading, file: RecordFile): Promise<string | undefined> =>
  file.isBegun ? accountOf(await assigneeOf(work, file)) : undefined
