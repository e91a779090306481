import { assigneeOfPart, assignPart } from '../dialog/files.ts'
import { askForMobile, isStillInvited } from '../dialog/known-mobile.ts'
import { sendText } from '../dialog/notify.ts'
import type { Turn } from '../dialog/turn.ts'
import type { Takes } from '../domain/account.ts'
import { isIn, isOthers, missed, triesOf } from '../domain/assignee.ts'
import { parseMobile } from '../domain/persian/mobile.ts'
import type { OutcomeOf } from '../jobs/call-table.ts'
import { take } from './take.ts'

/** Takes what the service says of the profile: the right number brings everything to this account. */
export async function takeOver(
  turn: Turn,
  { taking, mobile, typed }: Takes,
  outcome: OutcomeOf<'open'>,
): Promise<void> {
  const { t, deps } = turn
  // Telegram may not have deleted them when they came.
  await turn.deleteMessages(typed)
  const released = await assigneeOfPart(turn, taking)
  const isReleased = isIn(released, 'released') && !isOthers(released, turn.who)
  if (!isReleased || !(await isStillInvited(turn, taking))) return sendText(turn, 'invitation-used')
  if (!outcome.ok) return askForMobile(turn, taking, t('takeover-later'))
  const known = parseMobile(outcome.value.profile?.mobile ?? '')
  const contact = deps.config.organizerContact
  if (released.tries <= 0 || !known.ok) return askForMobile(turn, taking, t('takeover-unknown', { contact }))
  if (known.mobile !== mobile) {
    const tries = triesOf(await assignPart(turn, taking, missed)) ?? 0
    return askForMobile(turn, taking, t('takeover-wrong', { tries }))
  }
  await take(turn, taking)
}
