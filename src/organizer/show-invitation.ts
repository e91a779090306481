import { knownFile } from '../dialog/files.ts'
import type { Turn } from '../dialog/turn.ts'
import type { InviteRefusal } from '../jobs/invite.ts'
import { type MadeInvitation, whyClosed } from '../storage/documents/invitations.ts'
import { madeInvitationView, type ShownInvitation } from '../views/made-invitation.ts'

/** Says why no invitation is made. */
export async function refuse(
  turn: Turn,
  refusal: InviteRefusal | 'role-early' | 'role-done' | 'role-unknown',
  { title }: { title: string },
): Promise<void> {
  await turn.send({ text: turn.t(`invite-${refusal}`, { title }) })
}

/** Shows an invitation with its buttons: where it stands, or anew. */
export async function showInvitation(turn: Turn, made: MadeInvitation, messageId?: number): Promise<void> {
  await turn.show(messageId, madeInvitationView(turn.t, await shownOf(turn, made)))
}

async function shownOf(turn: Turn, made: MadeInvitation): Promise<ShownInvitation> {
  const { code, title, externalId, roleIds = [], until, role, resultTo, token } = made
  const { config, isInline } = turn.deps
  const ofRoles = role && (await knownFile(turn, token))?.resultTo
  return {
    code,
    title,
    link: linkOf(turn, code),
    role: role?.title,
    externalIds: [
      ...(externalId === undefined ? [] : [String(externalId)]),
      ...roleIds.map(({ title: role, externalId: id }) => `${role} ${id}`),
    ],
    until,
    resultTo: ofRoles ?? resultTo ?? config.resultTo,
    closed: whyClosed(made, turn.now),
    isInline,
  }
}

export const linkOf = ({ deps }: Turn, code: string): string =>
  `https://t.me/${deps.username}?start=i_${code}`
