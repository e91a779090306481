import { knownFile } from '../dialog/files.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import type { InviteRefusal } from '../jobs/invite.ts'
import { type MadeInvitation, whyClosed } from '../storage/documents/invitations.ts'
import { madeInvitationView, type ShownInvitation } from '../views/made-invitation.ts'

/** Says why no invitation is made. */
export async function refuse(
  ctx: UpdateContext,
  refusal: InviteRefusal | 'role-early' | 'role-done' | 'role-unknown',
  { title }: { title: string },
): Promise<void> {
  await ctx.send({ text: ctx.t(`invite-${refusal}`, { title }) })
}

/** Shows an invitation with its buttons: where it stands, or anew. */
export async function showInvitation(
  ctx: UpdateContext,
  made: MadeInvitation,
  messageId?: number,
): Promise<void> {
  await ctx.show(messageId, madeInvitationView(ctx.t, await shownOf(ctx, made)))
}

async function shownOf(ctx: UpdateContext, made: MadeInvitation): Promise<ShownInvitation> {
  const { code, title, externalId, roleIds = [], until, role, resultTo, token } = made
  const { config, isInline } = ctx.deps
  const ofRoles = role && (await knownFile(ctx, token))?.resultTo
  return {
    code,
    title,
    link: linkOf(ctx, code),
    role: role?.title,
    externalIds: [
      ...(externalId === undefined ? [] : [String(externalId)]),
      ...roleIds.map(({ title: role, externalId: id }) => `${role} ${id}`),
    ],
    until,
    resultTo: ofRoles ?? resultTo ?? config.resultTo,
    closed: whyClosed(made, ctx.now),
    isInline,
  }
}

export const linkOf = ({ deps }: UpdateContext, code: string): string =>
  `https://t.me/${deps.username}?start=i_${code}`
