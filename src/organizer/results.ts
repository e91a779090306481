import { onBehalf } from '../dialog/call.ts'
import { newShortId } from '../dialog/files.ts'
import { sendText } from '../dialog/notify.ts'
import { noteAct } from '../dialog/organizer.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { resultsJob } from '../jobs/results.ts'
import { resultsComingView } from '../views/status.ts'
import { readOrganizerState } from './listings.ts'

/** Has the results of all that is finished collected, or of one test of the board. */
export async function collect(ctx: UpdateContext, index?: number): Promise<void> {
  const { boardTests = [] } = await readOrganizerState(ctx)
  const title = index === undefined ? undefined : boardTests[index]
  if (index !== undefined && title === undefined) return sendText(ctx, 'drop-gone', { command: '/status' })
  const scope = title === undefined ? ({ of: 'all' } as const) : ({ of: 'test', title } as const)
  resultsJob.post(ctx.work, newShortId(), { onBehalf: await onBehalf(ctx), scope })
  await noteAct(ctx, 'results')
  await ctx.send(resultsComingView(ctx.t, title === undefined ? boardTests : []))
}
