import type { OrganizerAct } from '../domain/account.ts'
import { postAct } from '../jobs/acts.ts'
import type { CallOf } from '../jobs/call-table.ts'
import { decides } from '../jobs/recipients.ts'
import type { ActKind } from '../storage/documents/acts.ts'
import { callService, isPending } from './call.ts'
import { newShortId } from './files.ts'
import { sendText } from './notify.ts'
import type { UpdateContext } from './update-context.ts'

/** Whether this chat is an organizer's right now; looked at again at every step. */
export const isOrganizer = ({ deps, account }: UpdateContext): boolean =>
  deps.config.organizers.includes(account.chatId)

/** Whether this chat is that of an organizer who gets results, releases, and sees exports and the audit. */
export const mayDecide = ({ deps, account }: UpdateContext): boolean => decides(deps.config, account.chatId)

/** Notes what an organizer did, about which record or roadmap, and when; kept for 180 days. */
export const noteAct = async ({ work, account, now }: UpdateContext, what: ActKind, token?: string) =>
  postAct(work, { by: account.chatId, what, token, at: now })

/** Asks the service for an organizer, behind all participants; the answer comes to `takeAnswer`, once for each act. */
export async function askService(
  ctx: UpdateContext,
  act: OrganizerAct,
  call: CallOf<'listRecords' | 'listRoadmaps' | 'search' | 'find' | 'findSome'>,
): Promise<void> {
  const { account } = ctx
  for (const [s, pending] of Object.entries(account.pending)) {
    if (!pending.act) continue
    if (!isPending(ctx, s)) delete account.pending[s]
    else if (isSame(pending.act, act)) return sendText(ctx, 'one-moment')
  }
  await callService(ctx, newShortId(), call, { act })
}

/** Asks it for the record or roadmap that an act is about, first where it is expected. */
export const askForOne = (ctx: UpdateContext, act: Extract<OrganizerAct, { token: string }>): Promise<void> =>
  askService(ctx, act, { kind: 'find', token: act.token, first: act.kind ?? 'record' })

/** Whether two acts ask for the same; on whichever message they show it. */
function isSame(one: OrganizerAct, other: OrganizerAct): boolean {
  const plain = (act: OrganizerAct) => JSON.stringify({ ...act, messageId: undefined })
  return plain(one) === plain(other)
}
