import { type Assignee, accountOf, FREE, isIn } from '../../domain/assignee.ts'
import type { RecordFile } from '../../domain/record/record.ts'
import { assignmentOf, isGiven } from '../../domain/roadmap.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import type { Vault } from '../vault.ts'
import { tokenKey } from './keys.ts'
import { assignees, recordFiles } from './kinds.ts'

type Reading = { work: Pick<UnitOfWork, 'get'>; vault: Pick<Vault, 'hash'> }

/**
 * Who may answer a record or roadmap. A test of a roadmap is whose its role is, unless it was begun by a link of its own; a
 * role that nobody has accepted yet is whose the whole is.
 */
async function assigneeOf(
  { work, vault }: Reading,
  { token, parent }: Pick<RecordFile, 'token' | 'parent'>,
): Promise<Assignee> {
  const own = (await work.get(assignees, tokenKey(vault, token))) ?? FREE
  const whole = parent && (await work.get(recordFiles, parent.s))
  if (!whole || isIn(own, 'taken', 'over', 'released')) return own
  const hand = whole.roadmap && assignmentOf(whole.roadmap, parent.role)
  return hand && isGiven(hand) ? hand.assignee : assigneeOf({ work, vault }, whole)
}

/** The account whose it is; nobody before it is begun, while it is released, and when it was forgotten. */
export const ownerOf = async (
  reading: Reading,
  file: Pick<RecordFile, 'token' | 'parent' | 'isBegun'>,
): Promise<string | undefined> => (file.isBegun ? accountOf(await assigneeOf(reading, file)) : undefined)
