import { ownerOf } from '../dialog/access.ts'
import { assigneeOf } from '../dialog/files.ts'
import { sendText } from '../dialog/notify.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { isIn } from '../domain/assignee.ts'
import type { ResultTo } from '../domain/invitation.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { announce } from '../jobs/announce.ts'
import { logEnrolment } from '../jobs/board.ts'
import { madeInvitation } from '../jobs/invite.ts'
import { resultToOf } from '../jobs/recipients.ts'
import { watchRecord } from '../jobs/watch-jobs.ts'
import { type MadeInvitation, whyClosed } from '../storage/documents/invitations.ts'

/** The organizer's invitation by which this account came to something that nobody has begun. */
export const openedInvitation = ({ work, account }: UpdateContext, { s }: Pick<RecordFile, 's'>) =>
  madeInvitation(work, account.invited?.[s])

/** Why an invitation opens nothing to this account; whoever has begun goes on, also where only the claim is kept. */
export async function whyClosedTo(ctx: UpdateContext, made: MadeInvitation) {
  const closed = whyClosed(made, ctx.now)
  const assignee = await assigneeOf(ctx, made.token)
  const isOwn = closed === 'used' && isIn(assignee, 'taken', 'over', 'left') && assignee.who === ctx.who
  return isOwn ? undefined : closed
}

/**
 * Whether what was opened may be begun now: by no invitation that is over, and only with this receiver of the result in the
 * introduction. Says why not. `changed`: the introduction is to be read once more.
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

/** Who receives the result, as the introduction says it to this account from now on. */
export async function introducedResultTo(ctx: UpdateContext, file: RecordFile): Promise<ResultTo> {
  // What others go on with goes where it did.
  const isFree = !file.isBegun && (await ownerOf(ctx, file)) === undefined
  const invited = isFree ? await openedInvitation(ctx, file) : undefined
  return noteRead(ctx, file, invited?.resultTo ?? resultToOf(ctx.deps.config, file))
}

/** Notes whom the introduction names, since what is consented to is what was read. */
export function noteRead({ account }: UpdateContext, { s }: RecordFile, resultTo: ResultTo): ResultTo {
  account.invitedTo = { ...account.invitedTo, [s]: resultTo }
  return resultTo
}

/** Somebody has begun it: organizers' software hears of it, it counts on their board, and is watched from now on. */
export async function noteBegun(ctx: UpdateContext, file: RecordFile): Promise<void> {
  await announce(ctx.deps, ctx.work, file, 'begun')
  await logEnrolment(ctx, file, true)
  watchRecord(ctx, file)
}
