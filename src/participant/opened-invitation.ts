import { ownerOf } from '../dialog/access.ts'
import { assigneeOf } from '../dialog/files.ts'
import { sendText } from '../dialog/notify.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { type Assignee, isIn } from '../domain/assignee.ts'
import type { ResultTo } from '../domain/invitation.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { resultToOf } from '../jobs/recipients.ts'
import { invitations, isMade, type MadeInvitation, whyClosed } from '../storage/documents/invitations.ts'
import { codeKey } from '../storage/documents/keys.ts'

/** What an invitation that opens nothing says. */
export const closedWords = {
  used: 'invitation-used',
  revoked: 'invitation-revoked',
  expired: 'invitation-expired',
} as const

/** The organizer's invitation by which this account came to something that nobody has begun. */
export async function openedInvitation(
  { work, deps, account }: UpdateContext,
  { s }: Pick<RecordFile, 's'>,
): Promise<MadeInvitation | undefined> {
  const code = account.invited?.[s]
  const kept = code === undefined ? undefined : await work.get(invitations, codeKey(deps.vault, code))
  return isMade(kept) ? kept : undefined
}

/** Why an invitation opens nothing to this account; whoever has begun goes on, also where only the claim is kept. */
export async function whyClosedTo(
  ctx: UpdateContext,
  made: MadeInvitation,
): Promise<ReturnType<typeof whyClosed>> {
  const closed = whyClosed(made, ctx.now)
  const assignee = await assigneeOf(ctx, made.token)
  const isOwn = closed === 'used' && isIn(assignee, 'taken', 'over', 'left') && assignee.who === ctx.who
  return isOwn ? undefined : closed
}

/**
 * Whether what was opened may be begun now: with `INVITATION_ONLY` only by an invitation, and by none that is over.
 * Says why not. `changed`: the introduction is to be read once more.
 */
export async function mayBegin(
  ctx: UpdateContext,
  file: RecordFile,
  made: MadeInvitation | undefined,
  assignee: Assignee,
): Promise<'yes' | 'no' | 'changed'> {
  const isInvitedOnly = assignee.is === 'invited'
  if (!made && (ctx.deps.config.invitationOnly || isInvitedOnly)) {
    await sendText(ctx, isInvitedOnly ? 'invitation-used' : 'invitation-unknown')
    return 'no'
  }
  const closed = made && (await whyClosedTo(ctx, made))
  if (closed) {
    await sendText(ctx, closedWords[closed])
    return 'no'
  }
  const isAsRead = isReceiverAsRead(ctx, file, made?.resultTo ?? ctx.deps.config.resultTo)
  if (isAsRead ?? !made) return 'yes'
  await sendText(ctx, 'invitation-changed')
  return 'changed'
}

/** Who receives the result, as the introduction says it to this account from now on. */
export async function sayResultTo(ctx: UpdateContext, file: RecordFile): Promise<ResultTo> {
  const invited = (await ownerOf(ctx, file)) === undefined ? await openedInvitation(ctx, file) : undefined
  const resultTo = invited?.resultTo ?? resultToOf(ctx.deps.config, file)
  noteRead(ctx, file, resultTo)
  return resultTo
}

/** Notes whom the introduction names, since what is consented to is what was read. */
export function noteRead({ account }: UpdateContext, { s }: Pick<RecordFile, 's'>, resultTo: ResultTo): void {
  account.invitedTo = { ...account.invitedTo, [s]: resultTo }
}

/** Whether the introduction named who receives the result now; `undefined` where an earlier version showed it. */
export function isReceiverAsRead(
  { account }: UpdateContext,
  { s }: Pick<RecordFile, 's'>,
  now: ResultTo,
): boolean | undefined {
  const read = account.invitedTo?.[s]
  return read === undefined ? undefined : read === now
}
