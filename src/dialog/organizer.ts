import type { OrganizerAct } from '../domain/account.ts'
import { postAct } from '../jobs/acts.ts'
import type { CallOf } from '../jobs/call-table.ts'
import { decides } from '../jobs/recipients.ts'
import type { ActKind } from '../storage/documents/acts.ts'
import { callService, isPending } from './call.ts'
import { newShortId } from './files.ts'
import { sendText } from './send.ts'
import type { UpdateContext } from './update-context.ts'

/** Whether this chat belongs to an organizer now; it is checked at every step. */
export const isOrganizer = ({ deps, account }: UpdateContext): boolean =>
  deps.config.organizers.includes(account.chatId)

/** Whether this chat belongs to an organizer who gets results, releases, and sees exports and the audit. */
export const mayDecide = ({ deps, account }: UpdateContext): boolean => decides(deps.config, account.chatId)

/** Adds an organizer's act to the audit, with its record or roadmap and the time; it is kept for 180 days. */
export const noteAct = async ({ work, account, now }: UpdateContext, what: ActKind, token?: string) =>
  postAct(work, { by: account.chatId, what, token, at: now })

/** Calls the service for an organizer, once for each act, behind all participants; see `takeAnswer`. */
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

/** Asks the service for the record or roadmap of an act, first as the expected kind. */
export const askForOne = (ctx: UpdateContext, act: Extract<OrganizerAct, { token: string }>): Promise<void> =>
  askService(ctx, act, { kind: 'find', token: act.token, first: act.kind ?? 'record' })

/** Whether two acts ask for the same, on any message. */
function isSame(one: OrganizerAct, other: OrganizerAct): boolean {
  const plain = (act: OrganizerAct) => JSON.stringify({ ...act, messageId: undefined })
  return plain(one) === plain(other)
}
