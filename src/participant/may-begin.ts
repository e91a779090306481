import { assigneeOf } from '../dialog/files.ts'
import { sendText } from '../dialog/send.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { isAssignee } from '../domain/assignee.ts'
import { type ResultTo, whyClosed } from '../domain/invitation.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { announce } from '../jobs/announce.ts'
import { madeInvitation } from '../jobs/invite.ts'
import { resultToOf } from '../jobs/recipients.ts'
import { logEnrolment } from '../jobs/stage-counts.ts'
import { watchRecord } from '../jobs/watch-jobs.ts'
import { ownerOf } from '../storage/documents/attempts.ts'
import type { MadeInvitation } from '../storage/documents/invitations.ts'

/** The organizer's invitation by which this account came to a record that is not begun. */
export const openedInvitation = ({ work, account }: UpdateContext, { s }: Pick<RecordFile, 's'>) =>
  madeInvitation(work, account.invited?.[s])

/** Why an invitation is closed to this account; an account that has begun goes on, even by a mere claim. */
export async function whyClosedTo(ctx: UpdateContext, made: MadeInvitation) {
  const closed = whyClosed(made, ctx.now)
  const assignee = await assigneeOf(ctx, made.token)
  const isOwn = closed === 'used' && isAssignee(assignee, 'taken', 'over', 'left') && assignee.who === ctx.who
  return isOwn ? undefined : closed
}

/**
 * Whether the opened record may be begun now: not by a closed invitation, and only if the introduction named
 * this receiver of the result. Sends the reason if not. `changed`: the introduction must be read again.
 */
export async function mayBegin(
  ctx: UpdateContext,
  { s }: RecordFile,
  made: MadeInvitation | undefined,
  resultTo: ResultTo,
): Promise<'yes' | 'no' | 'changed'> {
  const closed = made && (await whyClosedTo(ctx, made))
  if (closed) {
    await sendText(ctx, `invitation-${closed}`)
    return 'no'
  }
  const read = ctx.account.invitedTo?.[s]
  if (read === undefined ? !made : read === resultTo) return 'yes'
  await sendText(ctx, 'invitation-changed')
  return 'changed'
}

/** The receiver of the result, as the introduction names it to this account from now on. */
export async function introducedResultTo(ctx: UpdateContext, file: RecordFile): Promise<ResultTo> {
  // A record that others go on with keeps its receiver.
  const isFree = !file.isBegun && (await ownerOf(ctx.work, file)) === undefined
  const invited = isFree ? await openedInvitation(ctx, file) : undefined
  return noteRead(ctx, file, invited?.resultTo ?? resultToOf(ctx.deps.config, file))
}

/** Notes the receiver that the introduction names, since the consent is to what was read. */
export function noteRead({ account }: UpdateContext, { s }: RecordFile, resultTo: ResultTo): ResultTo {
  account.invitedTo = { ...account.invitedTo, [s]: resultTo }
  return resultTo
}

/** A record is begun: tells the organizers' software, adds it to their board, and starts the watch. */
export async function noteBegun(ctx: UpdateContext, file: RecordFile): Promise<void> {
  await announce(ctx.deps, ctx.work, file, 'begun', ctx.who)
  await logEnrolment(ctx, file, true)
  watchRecord(ctx, file)
}
