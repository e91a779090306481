import { sendText } from '../dialog/notify.ts'
import { isOrganizer } from '../dialog/organizer.ts'
import type { Turn } from '../dialog/turn.ts'
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
  turn: Turn,
  act: OrganizerAct,
  came: ReturnType<typeof readOutcome>,
): Promise<void> {
  if (!isOrganizer(turn)) return
  if (!came.outcome.ok) return sendFailure(turn, came.outcome)
  if (act.act === 'page' && (came.kind === 'listRecords' || came.kind === 'listRoadmaps'))
    return takePage(turn, act, came.outcome.value)
  if (came.kind !== 'find' || act.act === 'page') return
  await takeFound(turn, act, came.outcome.value)
}

async function takeFound(
  turn: Turn,
  act: Exclude<OrganizerAct, { act: 'page' }>,
  found: Found,
): Promise<void> {
  switch (act.act) {
    case 'invite':
      return takeInvitable(turn, act, found)
    case 'seek':
      // What is neither a record nor a roadmap may be somebody's profile.
      if (found.found === 'nothing') return beginListing(turn, newListing(act.kind, act.token))
      return showFound(turn, found, undefined)
    case 'card':
      return showFound(turn, found, act.messageId)
  }
  unreachable(act)
}

async function showFound(turn: Turn, found: Found, messageId: number | undefined): Promise<void> {
  if (found.found === 'nothing') return sendText(turn, 'organizer-unknown')
  const seen = found.found === 'record' ? seenRecord(found.record) : seenRoadmap(found.roadmap)
  await showCard(turn, seen, messageId)
}

/** Says why the service did not answer; nothing has been changed. */
async function sendFailure(turn: Turn, { code }: Failure): Promise<void> {
  if (code === 'key_invalid' || code === 'forbidden') return sendText(turn, 'organizer-key')
  if (code === 'not_found') return sendText(turn, 'organizer-unknown')
  await sendText(turn, code === 'bad_request' ? 'organizer-refused' : 'organizer-down')
}
