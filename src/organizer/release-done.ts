import { isOrganizer } from '../dialog/organizer.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { postEvent } from '../queue/chat-message.ts'
import type { EventOf } from '../queue/events.ts'
import { invitations, isMade } from '../storage/documents/invitations.ts'
import { codeKey } from '../storage/documents/keys.ts'
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
  const made = code && (await ctx.work.get(invitations, codeKey(ctx.deps.vault, code)))
  if (made && isMade(made)) await showInvitation(ctx, made)
}
