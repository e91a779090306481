import { knownFile } from '../dialog/files.ts'
import { noteAct } from '../dialog/organizer.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import type { RecordFile } from '../domain/record/record.ts'
import type { RoadmapRole, RoleAssignment } from '../domain/roadmap.ts'
import { endInvitations, invite, madeInvitation, useUp } from '../jobs/invite.ts'
import { type MadeInvitation, newCode, whyClosed } from '../storage/documents/invitations.ts'
import { madeInvitationView } from '../views/made-invitation.ts'

/** What an organizer invites to, with what the invitation carries. */
type Wanted = Omit<MadeInvitation, 'code' | 'by' | 'at' | 'over' | 'overAt'>

/** Makes an invitation; whether it may be made was looked at. */
export async function makeInvitation(
  ctx: UpdateContext,
  wanted: Wanted,
  code = newCode(),
): Promise<MadeInvitation> {
  const { work, deps, now, account } = ctx
  await noteAct(ctx, 'invite', wanted.token)
  return invite({ work, vault: deps.vault, now }, { ...wanted, by: account.chatId }, code)
}

/** The invitation that leads on after a release; whatever was made before it opens nothing any more. */
export async function inviteAgain(ctx: UpdateContext, wanted: Wanted): Promise<MadeInvitation> {
  const { work, deps, now } = ctx
  await endInvitations({ work, vault: deps.vault, now }, wanted.token)
  return makeInvitation(ctx, wanted)
}

/** The invitation that leads to a role from now on; the one before it leads nowhere any more. */
export async function inviteToRole(
  ctx: UpdateContext,
  { s, token, test }: RecordFile,
  { id, title }: Pick<RoadmapRole, 'id' | 'title'>,
  hand: RoleAssignment,
): Promise<MadeInvitation> {
  useUp(await madeInvitation(ctx.work, ctx.deps.vault, hand.code), ctx.now)
  hand.code = newCode()
  const role = { s, id, title }
  return makeInvitation(ctx, { kind: 'roadmap', token, title: test.title, role }, hand.code)
}

/** Shows an invitation with its buttons: where it stands, or in a new message. */
export async function showInvitation(ctx: UpdateContext, made: MadeInvitation, messageId?: number) {
  const { code, title, externalId, roleIds = [], until, role, resultTo, token } = made
  const { config, isInline } = ctx.deps
  const ofRoles = role && (await knownFile(ctx, token))?.resultTo
  const shown = {
    code,
    title,
    link: linkOf(ctx, code),
    role: role?.title,
    externalIds: [
      ...(externalId === undefined ? [] : [String(externalId)]),
      ...roleIds.map(({ title: role, externalId: id }) => `${role} ${id}`),
    ],
    until,
    now: ctx.now,
    resultTo: ofRoles ?? resultTo ?? config.resultTo,
    closed: whyClosed(made, ctx.now),
    isInline,
  }
  await ctx.show(messageId, madeInvitationView(ctx.t, shown))
}

export const linkOf = ({ deps }: UpdateContext, code: string): string =>
  `https://t.me/${deps.username}?start=i_${code}`
