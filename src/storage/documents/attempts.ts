import { type Assignee, accountOf, FREE, isAssignee } from '../../domain/assignee.ts'
import { type Attempt, openAttempt } from '../../domain/attempt-layout.ts'
import type { RecordFile } from '../../domain/record/record.ts'
import { assignmentOf, isGiven } from '../../domain/roadmap.ts'
import { readable } from '../../domain/unreadable.ts'
import type { Kept } from '../documents.ts'
import type { Entry } from '../store.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import type { Vault } from '../vault.ts'
import { assignees, recordFiles, tokenKey } from './kinds.ts'

/** The key of a record's attempt. An attempt is bytes, no document: see `domain/attempt.ts`. */
export const attemptKey = (s: string): string => `s:${s}`

/** Decodes a stored attempt; throws an `UnreadableError` when it is none. */
export const openStoredAttempt = ({ value }: Entry): Attempt => readable(() => openAttempt(value))

/** The account of an attempt (none while it is released), and the record that it answers. */
export type Whose = { who: string | undefined; s: string }

/**
 * The owner field of an attempt, hashed from the account, the record and the attempt's id. Buttons of an
 * earlier attempt, a process that remembers one, and an attempt copied to another key fail the comparison. A
 * released attempt has no account.
 */
export const attemptOwner = (
  vault: Vault,
  { who = 'released', s }: Whose,
  { id }: Pick<Attempt, 'id'>,
): Buffer => vault.owner8([who, id.toString('hex'), s].join(':'))

/** Opens a stored attempt unless its owner differs: write access to the store cannot reassign it. */
export function openAttemptOf(vault: Vault, whose: Whose, entry: Entry): Attempt | undefined {
  const attempt = openStoredAttempt(entry)
  return attempt.owner.equals(attemptOwner(vault, whose, attempt)) ? attempt : undefined
}

/** Reads the attempt of a record, unless its owner differs. */
export async function readAttemptOf({ store, vault }: Kept, whose: Whose): Promise<Attempt | undefined> {
  const [entry] = await store.read([attemptKey(whose.s)])
  return entry && openAttemptOf(vault, whose, entry)
}

/** Applies our own changes to an attempt. Renews the MAC if it was valid; a harmed attempt stays harmed. */
export function resealed({ attemptCipher }: Vault, s: string, attempt: Attempt, changes: Partial<Attempt>) {
  const changed = { ...attempt, ...changes }
  return attemptCipher.verify(s, attempt) === 'sound'
    ? { ...changed, mac: attemptCipher.mac(s, changed) }
    : changed
}

/** A unit of work, or anything else that reads documents one by one. */
export type Reading = Pick<UnitOfWork, 'get' | 'vault'>

/**
 * The assignee of a record or roadmap. A test of a roadmap belongs to the assignee of its role, unless it was
 * begun by its own link. A role that no account has accepted yet belongs to the assignee of the roadmap.
 */
async function assigneeOf(work: Reading, { token, parent }: RecordFile): Promise<Assignee> {
  const own = (await work.get(assignees, tokenKey(work.vault, token))) ?? FREE
  const whole = parent && (await work.get(recordFiles, parent.s))
  if (!whole || isAssignee(own, 'taken', 'over', 'released')) return own
  const assignment = whole.roadmap && assignmentOf(whole.roadmap, parent.role)
  return assignment && isGiven(assignment) ? assignment.assignee : assigneeOf(work, whole)
}

/** The account that has the record; none before it is begun, while it is released, or after /forget. */
export const ownerOf = async (work: Reading, file: RecordFile): Promise<string | undefined> =>
  file.isBegun ? accountOf(await assigneeOf(work, file)) : undefined
