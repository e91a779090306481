import type { OrganizerAct } from '../domain/organizer-act.ts'
import type { CallOf } from '../jobs/call-table.ts'
import { callService, isPending } from './call.ts'
import { newShortId } from './files.ts'
import { sendText } from './notify.ts'
import type { UpdateContext } from './update-context.ts'

export type OrganizerCall = CallOf<'listRecords' | 'listRoadmaps' | 'find'>

/** Asks the service for an organizer, behind all participants; the answer comes to `takeAnswer`, once for each act. */
export async function askService(ctx: UpdateContext, act: OrganizerAct, call: OrganizerCall): Promise<void> {
  const { account } = ctx
  for (const [s, pending] of Object.entries(account.pending)) {
    if (!pending.act) continue
    if (!isPending(ctx, s)) delete account.pending[s]
    else if (isSame(pending.act, act)) return sendText(ctx, 'one-moment')
  }
  const s = newShortId()
  await callService(ctx, s, call)
  const pending = account.pending[s]
  if (pending) pending.act = act
}

/** Whether two acts ask for the same; on whichever message they show it. */
function isSame(one: OrganizerAct, other: OrganizerAct): boolean {
  const plain = (act: OrganizerAct) => JSON.stringify({ ...act, messageId: undefined })
  return plain(one) === plain(other)
}
