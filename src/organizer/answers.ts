import { sendText } from '../dialog/notify.ts'
import { isOrganizer } from '../dialog/organizer.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import type { OrganizerAct } from '../domain/organizer-act.ts'
import type { Failure } from '../jobs/call.ts'
import type { readOutcome } from '../jobs/call-table.ts'
import { showCard } from './card.ts'
import { takeInvitable } from './invite.ts'
import { newListing } from './listings.ts'
import { beginListing, takePage } from './lists.ts'
import { seenIn } from './seen.ts'

/** Takes what the service has answered to an organizer. Former organizers learn nothing of it. */
export async function takeAnswer(
  ctx: UpdateContext,
  act: OrganizerAct,
  came: ReturnType<typeof readOutcome>,
): Promise<void> {
  if (!isOrganizer(ctx)) return
  if (!came.outcome.ok) return sendFailure(ctx, came.outcome)
  if (act.act === 'page' && (came.kind === 'listRecords' || came.kind === 'listRoadmaps'))
    return takePage(ctx, act, came.outcome.value)
  if (came.kind !== 'find' || act.act === 'page') return
  const found = came.outcome.value
  if (act.act === 'invite') return takeInvitable(ctx, act, found)
  const seen = seenIn(found)
  if (seen) return showCard(ctx, seen, act.act === 'card' ? act.messageId : undefined)
  // What is neither a record nor a roadmap may be somebody's profile.
  if (act.act === 'seek') return beginListing(ctx, newListing(act.kind, act.token))
  await sendText(ctx, 'organizer-unknown')
}

/** Says why the service did not answer; nothing has been changed. */
async function sendFailure(ctx: UpdateContext, { code }: Failure): Promise<void> {
  if (code === 'key_invalid' || code === 'forbidden') return sendText(ctx, 'organizer-key')
  if (code === 'not_found') return sendText(ctx, 'organizer-unknown')
  await sendText(ctx, code === 'bad_request' ? 'organizer-refused' : 'organizer-down')
}
