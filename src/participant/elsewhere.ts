import { notifyOrganizers } from '../dialog/notify.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { titleOf } from '../domain/record/whose.ts'
import { showFinished } from './nested-record.ts'

/** What was answered here was finished elsewhere with other answers: participant and organizers are told so. */
export async function foundElsewhere(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { t, account, deps } = ctx
  const { s, parent, test } = file
  const text = t('done-elsewhere', { title: titleOf(file), contact: deps.config.organizerContact })
  await notifyOrganizers(ctx, file, 'notice-done-elsewhere', { title: test.title })
  const screen = account.screens[s]
  // What said that the answers are on their way says so no more.
  if (screen !== undefined) await ctx.takeAway(screen)
  if (parent) return showFinished(ctx, file, text)
  delete account.screens[s]
  if (account.focus === s) delete account.focus
  await ctx.send({ text })
}
