import { noteAct } from '../dialog/note-act.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { isRoadmap, type RecordFile } from '../domain/record/record.ts'
import { endInvitations, invite } from '../jobs/invite.ts'
import type { MadeInvitation } from '../storage/documents/invitations.ts'

/** The invitation that leads on after a release; whatever was made before it opens nothing any more. */
export async function inviteAgain(ctx: UpdateContext, file: RecordFile): Promise<MadeInvitation> {
  return inviteAfterRelease(ctx, {
    kind: isRoadmap(file) ? 'roadmap' : 'record',
    token: file.token,
    title: file.test.title,
    ...(!file.roadmap && file.externalId !== undefined && { externalId: file.externalId }),
  })
}

/** The same of what is not kept any more. */
export async function inviteAfterRelease(
  ctx: UpdateContext,
  wanted: Pick<MadeInvitation, 'kind' | 'token' | 'title' | 'externalId'>,
): Promise<MadeInvitation> {
  const { work, deps, now, account } = ctx
  const about = { work, vault: deps.vault, now }
  await endInvitations(about, wanted.token)
  await noteAct(ctx, 'invite', wanted.token)
  return invite(about, { ...wanted, by: account.chatId })
}
