import { isOrganizer } from '../dialog/organizer.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { madeInvitation } from '../jobs/invite.ts'
import { type EventOf, postEvent } from '../queue/chat-message.ts'
import { showInvitation } from './show-invitation.ts'

/** Has it said what became of a release, when that is kept. */
export function notifyDone(ctx: UpdateContext, s: string, done: Omit<EventOf<'release-done'>, 'kind'>): void {
  const { work, who, account } = ctx
  postEvent(work, { who, chatId: account.chatId }, s, { kind: 'release-done', ...done })
}

/** Says so, and shows the invitation that leads on. */
export async function releaseDone(
  ctx: UpdateContext,
  { word, title, code }: EventOf<'release-done'>,
): Promise<void> {
  if (!isOrganizer(ctx)) return
  await ctx.send({ text: ctx.t(word, { title }) })
  const made = await madeInvitation(ctx.work, ctx.deps.vault, code)
  if (made) await showInvitation(ctx, made)
}
