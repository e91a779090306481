import type { OrganizerAct } from '../domain/organizer-act.ts'
import type { CallOf } from '../jobs/call-table.ts'
import { callService, isPending } from './call.ts'
import { newShortId } from './files.ts'
import { sendText } from './notify.ts'
import type { Turn } from './turn.ts'

export type OrganizerCall = CallOf<'listRecords' | 'listRoadmaps' | 'find'>

/** Asks the service for an organizer, behind all participants; the answer comes to `takeAnswer`, once for each act. */
export async function askService(turn: Turn, act: OrganizerAct, call: OrganizerCall): Promise<void> {
  const { account } = turn
  for (const [s, pending] of Object.entries(account.pending)) {
    if (!pending.act) continue
    if (!isPending(turn, s)) delete account.pending[s]
    else if (isSame(pending.act, act)) return sendText(turn, 'one-moment')
  }
  const s = newShortId()
  await callService(turn, s, call)
  const pending = account.pending[s]
  if (pending) pending.act = act
}

/** Whether two acts ask for the same; on whichever message they show it. */
function isSame(one: OrganizerAct, other: OrganizerAct): boolean {
  const plain = (act: OrganizerAct) => JSON.stringify({ ...act, messageId: undefined })
  return plain(one) === plain(other)
}
