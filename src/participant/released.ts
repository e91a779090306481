import { takesPart } from '../dialog/access.ts'
import { visibleFile } from '../dialog/files.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import type { EventOf } from '../queue/events.ts'

/** An organizer has released a record or roadmap from this account: it is told so, and nothing of it is left here. */
export async function releasedFrom(
  ctx: UpdateContext,
  s: string,
  { title, typed, records }: EventOf<'released'>,
): Promise<void> {
  const { account } = ctx
  await ctx.deleteMessages(typed)
  const file = await visibleFile(ctx, s)
  // Of a roadmap one role was released, and this account has another one.
  const stays = file !== undefined && (await takesPart(ctx, file))
  for (const each of stays ? records : [s, ...records]) {
    const screen = account.screens[each]
    if (screen !== undefined) await ctx.takeAway(screen)
    delete account.screens[each]
    delete account.pending[each]
    if (account.focus === each) {
      if (account.asked !== undefined) await ctx.disarm(account.asked)
      delete account.asked
      delete account.focus
    }
  }
  if (!stays) account.items = account.items.filter((item) => item !== s)
  await ctx.send({ text: ctx.t('released-told', { title, contact: ctx.deps.config.organizerContact }) })
}
