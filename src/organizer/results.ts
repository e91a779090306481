import { onBehalf } from '../dialog/call.ts'
import { newShortId } from '../dialog/files.ts'
import { sendText } from '../dialog/notify.ts'
import { noteAct } from '../dialog/organizer.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { resultsJob } from '../jobs/results.ts'
import type { Collection } from '../storage/documents/result-tables.ts'
import { resultsComingView } from '../views/status.ts'
import { readOrganizerState } from './listings.ts'

/** Has the results of all that is finished collected, or of one test of the board. */
export async function collect(ctx: UpdateContext, index?: number): Promise<void> {
  const { boardTests = [] } = await readOrganizerState(ctx)
  const title = index === undefined ? undefined : boardTests[index]
  if (index !== undefined && title === undefined) return sendText(ctx, 'drop-gone', { command: '/status' })
  await postResults(ctx, title === undefined ? { of: 'all' } : { of: 'test', title })
  await ctx.send(resultsComingView(ctx.t, title === undefined ? boardTests : []))
}

/** Has results collected and notes who asked. */
export async function postResults(ctx: UpdateContext, scope: Collection['scope']): Promise<void> {
  resultsJob.post(ctx.work, newShortId(), { onBehalf: await onBehalf(ctx), scope })
  await noteAct(ctx, 'results')
}
