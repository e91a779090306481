import { FREE, isAssignee, isParted } from '../domain/assignee.ts'
import { whyClosed } from '../domain/invitation.ts'
import { assignmentOf } from '../domain/roadmap.ts'
import {
  type InviteRefusal,
  invitationDetails,
  invitations,
  isMade,
  type MadeInvitation,
  newCode,
  tokenInvitations,
} from '../storage/documents/invitations.ts'
import { assignees, codeKey, fileOfToken, recordFiles, tokenKey } from '../storage/documents/kinds.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'

/** Why the whole record or roadmap cannot be invited to now; `undefined` when it can. */
export async function whyNotInvitable(
  work: UnitOfWork,
  { token, isFinished }: { token: string; isFinished: boolean },
): Promise<InviteRefusal | undefined> {
  const assignee = (await work.get(assignees, tokenKey(work.vault, token))) ?? FREE
  const file = await fileOfToken(work, token)
  if (file?.parent) return 'of-roadmap'
  // A released record can be taken over even if it is finished, for its result.
  if (isFinished && assignee.is !== 'released') return 'finished'
  if (isAssignee(assignee, 'taken', 'over')) return 'claimed'
  if (assignee.is === 'left') return isParted(assignee) ? 'roles' : 'forgotten'
  return undefined
}

/** Makes an invitation; the caller has checked that it may be made. */
export async function invite(
  { work, now }: { work: UnitOfWork; now: number },
  made: Omit<MadeInvitation, 'code' | 'at' | 'over' | 'overAt'>,
  code = newCode(),
): Promise<MadeInvitation> {
  const key = tokenKey(work.vault, made.token)
  const ofToken = (await work.get(tokenInvitations, key)) ?? work.put(tokenInvitations, key, { codes: [] })
  ofToken.codes.push(code)
  const invitation: MadeInvitation = { ...made, code, at: now }
  work.put(invitations, codeKey(work.vault, code), invitation)
  return invitation
}

/** The invitation that an organizer made with this code. */
export async function madeInvitation(
  work: UnitOfWork,
  code: string | undefined,
): Promise<MadeInvitation | undefined> {
  const kept = code === undefined ? undefined : await work.get(invitations, codeKey(work.vault, code))
  return isMade(kept) ? kept : undefined
}

/** Why an invitation opens nothing; `expired` also when the role that it leads to is no longer kept. */
export async function whyClosedNow(work: UnitOfWork, made: MadeInvitation, now: number) {
  const { role, code } = made
  const { roadmap } = (role && (await work.get(recordFiles, role.s))) ?? {}
  const isGone = role && !(roadmap && assignmentOf(roadmap, role.id)?.code === code)
  return whyClosed(made, now) ?? (isGone ? 'expired' : undefined)
}

/** Closes an invitation that was used. One that a newer invitation replaces is revoked: nobody has used it. */
export function useUp(
  made: MadeInvitation | undefined,
  now: number,
  over: MadeInvitation['over'] = 'used',
): void {
  if (made && made.over === undefined) Object.assign(made, { over, overAt: now })
}

/** The kept invitations that organizers made for a record or roadmap, the newest first. */
export async function invitationsOf(work: UnitOfWork, token: string): Promise<MadeInvitation[]> {
  const { codes = [] } = (await work.get(tokenInvitations, tokenKey(work.vault, token))) ?? {}
  const found: MadeInvitation[] = []
  for (const code of codes) {
    const made = await madeInvitation(work, code)
    if (made) found.unshift(made)
  }
  return found
}

/** Closes the invitations to a record or roadmap that was begun, or released with a newer invitation. */
export async function endInvitations(
  { work, now }: { work: UnitOfWork; now: number },
  token: string,
  over?: MadeInvitation['over'],
): Promise<void> {
  for (const each of await invitationsOf(work, token)) {
    if (!each.role) useUp(each, now, over)
    await forgetDetails(work, each.code)
  }
}

/** Deletes the details of the invited person when an invitation ends. */
export async function forgetDetails(work: UnitOfWork, code: string): Promise<void> {
  const key = codeKey(work.vault, code)
  if (await work.get(invitationDetails, key)) work.remove(invitationDetails, key)
}
