import { assigneeOfPart, assignPart } from '../dialog/files.ts'
import { askForMobile, isStillInvited } from '../dialog/known-mobile.ts'
import { sendText } from '../dialog/notify.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import type { Takes } from '../domain/account.ts'
import { isIn, isOthers, missed, triesOf } from '../domain/assignee.ts'
import { parseMobile } from '../domain/persian/mobile.ts'
import type { OutcomeOf } from '../jobs/call-table.ts'
import { take } from './take.ts'

/** Takes what the service says of the profile: the right number brings everything to this account. */
export async function takeOver(
  ctx: UpdateContext,
  { taking, mobile, typed }: Takes,
  outcome: OutcomeOf<'open'>,
): Promise<void> {
  const { t, deps } = ctx
  // Telegram may not have deleted them when they came.
  await ctx.deleteMessages(typed)
  const released = await assigneeOfPart(ctx, taking)
  const isReleased = isIn(released, 'released') && !isOthers(released, ctx.who)
  if (!isReleased || !(await isStillInvited(ctx, taking))) return sendText(ctx, 'invitation-used')
  if (!outcome.ok) return askForMobile(ctx, taking, t('takeover-later'))
  const known = parseMobile(outcome.value.profile?.mobile ?? '')
  const contact = deps.config.organizerContact
  if (released.tries <= 0 || !known.ok) return askForMobile(ctx, taking, t('takeover-unknown', { contact }))
  if (known.mobile !== mobile) {
    const tries = triesOf(await assignPart(ctx, taking, missed)) ?? 0
    return askForMobile(ctx, taking, t('takeover-wrong', { tries }))
  }
  await take(ctx, taking)
}
