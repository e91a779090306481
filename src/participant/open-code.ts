import { acceptedHands, ownerOf } from '../dialog/access.ts'
import { fileOf } from '../dialog/files.ts'
import { sendText } from '../dialog/notify.ts'
import type { Turn } from '../dialog/turn.ts'
import type { Invitation } from '../domain/invitation.ts'
import { invitations, isMade, type MadeInvitation, whyClosed } from '../storage/documents/invitations.ts'
import { codeKey } from '../storage/documents/keys.ts'
import { openRoleInvitation } from './accept-role.ts'
import { openInvitation } from './introduce.ts'
import { closedWords, whyClosedTo } from './opened-invitation.ts'
import { showPlace } from './place.ts'

/** Opens what a link, a payload or a code leads to. */
export async function open(turn: Turn, invitation: Invitation | undefined): Promise<void> {
  if (invitation?.kind === 'code') return openCode(turn, invitation.code)
  if (invitation && !turn.deps.config.invitationOnly) return openInvitation(turn, invitation)
  await sendText(turn, 'invitation-unknown')
}

/** Opens an invitation by its code, whoever has made it: an organizer, or a participant who gave a role away. */
async function openCode(turn: Turn, code: string): Promise<void> {
  const { work, deps, account } = turn
  const kept = await work.get(invitations, codeKey(deps.vault, code))
  const made = isMade(kept) ? kept : undefined
  if (!made || made.role) {
    const closed = made && whyClosed(made, turn.now)
    if (made && closed && closed !== 'used' && !(await isTaken(turn, made)))
      return sendText(turn, closedWords[closed])
    const file = await openRoleInvitation(turn, code)
    return file && showPlace(turn, file)
  }
  const { kind, token, externalId } = made
  const file = await fileOf(turn, { kind, token })
  const owner = await ownerOf(turn, file)
  const closed = owner === turn.who ? undefined : await whyClosedTo(turn, made)
  if (closed) return sendText(turn, closedWords[closed])
  if (owner === undefined) account.invited = { ...account.invited, [file.s]: code }
  const invitation = kind === 'record' ? { kind, token, externalId } : { kind, token }
  await openInvitation(turn, owner === turn.who ? { kind, token } : invitation, {
    keepsInvitation: true,
  })
}

/** Whether this account has begun with the invitation already. */
async function isTaken(turn: Turn, made: MadeInvitation): Promise<boolean> {
  const file = await fileOf(turn, made)
  return acceptedHands(turn, file).some(({ code }) => code === made.code)
}
