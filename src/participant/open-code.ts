import { acceptedAssignments, ownerOf } from '../dialog/access.ts'
import { fileOf } from '../dialog/files.ts'
import { sendText } from '../dialog/notify.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import type { Invitation } from '../domain/invitation.ts'
import { invitations, isMade, type MadeInvitation, whyClosed } from '../storage/documents/invitations.ts'
import { codeKey } from '../storage/documents/keys.ts'
import { openRoleInvitation } from './accept-role.ts'
import { openInvitation } from './introduce.ts'
import { closedWords, whyClosedTo } from './opened-invitation.ts'
import { showPlace } from './place.ts'

/** Opens what a link, a payload or a code leads to. */
export async function open(ctx: UpdateContext, invitation: Invitation | undefined): Promise<void> {
  if (invitation?.kind === 'code') return openCode(ctx, invitation.code)
  if (invitation && !ctx.deps.config.invitationOnly) return openInvitation(ctx, invitation)
  await sendText(ctx, 'invitation-unknown')
}

/** Opens an invitation by its code, whoever has made it: an organizer, or a participant who gave a role away. */
async function openCode(ctx: UpdateContext, code: string): Promise<void> {
  const { work, deps, account } = ctx
  const kept = await work.get(invitations, codeKey(deps.vault, code))
  const made = isMade(kept) ? kept : undefined
  if (!made || made.role) {
    const closed = made && whyClosed(made, ctx.now)
    if (made && closed && closed !== 'used' && !(await isTaken(ctx, made)))
      return sendText(ctx, closedWords[closed])
    const file = await openRoleInvitation(ctx, code)
    return file && showPlace(ctx, file)
  }
  const { kind, token, externalId } = made
  const file = await fileOf(ctx, { kind, token })
  const owner = await ownerOf(ctx, file)
  const closed = owner === ctx.who ? undefined : await whyClosedTo(ctx, made)
  if (closed) return sendText(ctx, closedWords[closed])
  if (owner === undefined) account.invited = { ...account.invited, [file.s]: code }
  const invitation = kind === 'record' ? { kind, token, externalId } : { kind, token }
  await openInvitation(ctx, owner === ctx.who ? { kind, token } : invitation, {
    keepsInvitation: true,
  })
}

/** Whether this account has begun with the invitation already. */
async function isTaken(ctx: UpdateContext, made: MadeInvitation): Promise<boolean> {
  const file = await fileOf(ctx, made)
  return acceptedAssignments(ctx, file).some(({ code }) => code === made.code)
}
