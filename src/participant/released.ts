import { takesPart } from '../dialog/access.ts'
import { onBehalf } from '../dialog/call.ts'
import { assigneeOf, parentOf, visibleFile } from '../dialog/files.ts'
import { leaveAsked, type UpdateContext } from '../dialog/update-context.ts'
import { isOthers } from '../domain/assignee.ts'
import { endOpening } from '../jobs/watch-jobs.ts'
import type { EventOf } from '../queue/chat-message.ts'
import { recordFiles } from '../storage/documents/kinds.ts'

type Released = Omit<EventOf<'released'>, 'kind'>

/** An organizer has released a record from this account: notifies it, and removes what is left here. */
export async function releasedFrom(ctx: UpdateContext, s: string, released: Released): Promise<void> {
  await leaveReleased(ctx, s, released)
  const { title, isPart } = released
  await ctx.send({ text: isPart ? ctx.t('belongs-to-roadmap') : ctx.t('released-told', { title }) })
}

/** Removes what is left in the chat of a record or roadmap that no longer belongs to this account. */
export async function leaveReleased(
  ctx: UpdateContext,
  s: string,
  { typed, records }: Pick<Released, 'typed' | 'records'>,
): Promise<void> {
  const { account } = ctx
  ctx.deleteMessages(typed)
  const file = await visibleFile(ctx, s)
  // One role of a roadmap was released, and this account has another one.
  const stays = file !== undefined && (await takesPart(ctx, file))
  for (const each of stays ? records : [s, ...records]) {
    const screen = account.screens[each]
    if (screen !== undefined) ctx.takeAway(screen)
    delete account.screens[each]
    delete account.pending[each]
    if (account.focus === each) leaveAsked(ctx)
    if (account.focus === each) delete account.focus
  }
  if (!stays) account.items = account.items.filter((item) => item !== s)
  if (!stays) endOpening(ctx.work, await onBehalf(ctx), s)
}

/** What a button says whose record or role an organizer has released from this account. */
export async function releasedWord(ctx: UpdateContext, data: string): Promise<string | undefined> {
  const [, s = ''] = data.split(':')
  const file = await ctx.work.get(recordFiles, s)
  const whole = file?.parent ? await parentOf(ctx, file) : file
  if (!file || !whole || (await takesPart(ctx, file))) return undefined
  const role = file.parent && { s: whole.s, token: whole.token, role: file.parent.role }
  const assignees = [await assigneeOf(ctx, whole.token), ...(role ? [await assigneeOf(ctx, role)] : [])]
  const isReleased = assignees.some((each) => each.before?.includes(ctx.who) && isOthers(each, ctx.who))
  return isReleased ? ctx.t.plain('released-told', { title: whole.test.title }) : undefined
}
