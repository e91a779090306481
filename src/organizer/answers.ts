import { sendText } from '../dialog/notify.ts'
import { isOrganizer } from '../dialog/organizer.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import type { OrganizerAct } from '../domain/organizer-act.ts'
import { unreachable } from '../domain/unreachable.ts'
import type { Failure } from '../jobs/call.ts'
import type { readOutcome } from '../jobs/call-table.ts'
import type { Found } from '../jobs/organizer-calls.ts'
import { showCard } from './card.ts'
import { takeInvitable } from './invite.ts'
import { beginListing } from './lists.ts'
import { newListing } from './search.ts'
import { seenRecord, seenRoadmap } from './seen.ts'
import { takePage } from './take-page.ts'

/** Takes what the service has answered to an organizer. Who is none any more learns nothing of it. */
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
  await takeFound(ctx, act, came.outcome.value)
}

async function takeFound(
  ctx: UpdateContext,
  act: Exclude<OrganizerAct, { act: 'page' }>,
  found: Found,
): Promise<void> {
  switch (act.act) {
    case 'invite':
      return takeInvitable(ctx, act, found)
    case 'seek':
      // What is neither a record nor a roadmap may be somebody's profile.
      if (found.found === 'nothing') return beginListing(ctx, newListing(act.kind, act.token))
      return showFound(ctx, found, undefined)
    case 'card':
      return showFound(ctx, found, act.messageId)
  }
  unreachable(act)
}

async function showFound(ctx: UpdateContext, found: Found, messageId: number | undefined): Promise<void> {
  if (found.found === 'nothing') return sendText(ctx, 'organizer-unknown')
  const seen = found.found === 'record' ? seenRecord(found.record) : seenRoadmap(found.roadmap)
  await showCard(ctx, seen, messageId)
}

/** Says why the service did not answer; nothing has been changed. */
async function sendFailure(ctx: UpdateContext, { code }: Failure): Promise<void> {
  if (code === 'key_invalid' || code === 'forbidden') return sendText(ctx, 'organizer-key')
  if (code === 'not_found') return sendText(ctx, 'organizer-unknown')
  await sendText(ctx, code === 'bad_request' ? 'organizer-refused' : 'organizer-down')
}
