import { acceptedAssignments, isMine, openedAssignment } from '../dialog/access.ts'
import { leaveMobile } from '../dialog/expected.ts'
import { assigneeOf, remember } from '../dialog/files.ts'
import { askForMobile } from '../dialog/known-mobile.ts'
import { sendText, withOtherLanguage } from '../dialog/notify.ts'
import { leaveDraft } from '../dialog/typed.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { accountOf, begun, isIn as isAssignee, isParted } from '../domain/assignee.ts'
import { accountsOf, isIn, type RecordFile } from '../domain/record/record.ts'
import { roleLabel } from '../domain/record/whose.ts'
import { assignmentOf, needsGuardian, type RoleAssignment, recordsOf } from '../domain/roadmap.ts'
import { resultToOf } from '../jobs/recipients.ts'
import { invitations, isMade, type MadeInvitation, whyClosed } from '../storage/documents/invitations.ts'
import { CONSENT_VERSION, recordFiles } from '../storage/documents/kinds.ts'
import { guardianView } from '../views/profile.ts'
import { roleIntroductionView } from '../views/role-assignment.ts'
import { giveRecords, hashCode } from './assign-role.ts'
import { noteBegun } from './begun.ts'
import { showBoard } from './board.ts'
import { notifyOthers } from './board-news.ts'
import { closedWords, isReceiverAsRead, noteRead } from './opened-invitation.ts'

/**
 * Opens an invitation code: what the role's tests are and who receives the report. Returns the roadmap when the role
 * is this account's already, so that its place is to be shown.
 */
export async function openRoleInvitation(ctx: UpdateContext, code: string): Promise<RecordFile | undefined> {
  const { account, work } = ctx
  const invitation = await work.get(invitations, hashCode(ctx, code))
  const given = isMade(invitation)
    ? invitation.role && { ...invitation.role, role: invitation.role.id }
    : invitation
  const file = given && (await work.get(recordFiles, given.s))
  const hand = file?.roadmap && given && assignmentOf(file.roadmap, given.role)
  if (!file || !hand || hand.code !== code) {
    // Another code leads to it since an organizer has released it.
    await sendText(ctx, hand ? 'invitation-used' : 'invitation-unknown')
    return undefined
  }
  if (isAssignee(hand.assignee, 'released')) {
    await askForRole(ctx, file, hand)
    return undefined
  }
  const isInvited = hand.assignee.is === 'invited'
  const isTaken = !isInvited && accountOf(hand.assignee) !== ctx.who
  const isOver = isInvited && !isOpenToRole(file, hand)
  if (isTaken || isOver || (await isMine(ctx, file))) {
    await sendText(ctx, isTaken || isOver ? 'invitation-used' : 'hand-own')
    return undefined
  }
  leaveMobile(ctx)
  account.invited = { ...account.invited, [file.s]: code }
  await leaveDraft(ctx, file)
  account.focus = file.s
  await remember(ctx, file)
  if (!isInvited) return file
  await introduceRole(ctx, file, hand)
  return undefined
}

/** Whoever opens the invitation to a role that was released for the same person is asked for the mobile. */
async function askForRole(ctx: UpdateContext, file: RecordFile, hand: RoleAssignment): Promise<void> {
  const isOwn = await isMine(ctx, file)
  if (isOwn || hand.assignee.before?.includes(ctx.who))
    return sendText(ctx, isOwn ? 'hand-own' : 'invitation-used')
  const { s, token } = file
  await askForMobile(ctx, { s, token, kind: 'roadmap', role: hand.role, code: hand.code })
}

/** Whether a code was ever made, and is still known. */
export const isKnownCode = async (ctx: UpdateContext, code: string): Promise<boolean> =>
  (await ctx.work.get(invitations, hashCode(ctx, code))) !== undefined

/** A report goes only to those whose attempts led to it, so a role without anything left to do is not taken up. */
const isOpenToRole = (file: RecordFile, { role }: RoleAssignment): boolean =>
  isIn(file, 'board', 'failed') &&
  file.roadmap !== undefined &&
  recordsOf(file.roadmap, role).some(({ isFinished }) => !isFinished)

async function introduceRole(
  ctx: UpdateContext,
  file: RecordFile,
  { role: id }: RoleAssignment,
): Promise<void> {
  const { s, test, roadmap } = file
  const role = roadmap?.roles.find((each) => each.id === id)
  if (!roadmap || !role) return
  const tests = recordsOf(roadmap, id).map(({ title }) => title)
  const { config } = ctx.deps
  const terms = { ...config, resultTo: resultToOf(config, file) }
  noteRead(ctx, file, terms.resultTo)
  const introduction = { ...terms, s, title: test.title, role: role.title, tests }
  await ctx.ask(withOtherLanguage(ctx, roleIntroductionView(ctx.t, introduction)))
}

/** Leads an account that was given a role to what comes before its tests. */
export async function showBeforeTests(
  ctx: UpdateContext,
  file: RecordFile,
): Promise<'shown' | 'nothing before'> {
  if (await isMine(ctx, file)) return 'nothing before'
  const child = childOf(ctx, file)
  const opened = openedAssignment(ctx, file)
  if (child) await askGuardian(ctx, file, child)
  else if (opened && acceptedAssignments(ctx, file).length === 0) await introduceRole(ctx, file, opened)
  else return 'nothing before'
  return 'shown'
}

/** The role of a child on its own account that waits for the guardian's yes. */
export const childOf = (ctx: UpdateContext, file: RecordFile): RoleAssignment | undefined =>
  acceptedAssignments(ctx, file).find((hand) => file.roadmap && needsGuardian(file.roadmap, hand))

async function askGuardian(
  ctx: UpdateContext,
  { roadmap }: RecordFile,
  { role: id }: RoleAssignment,
): Promise<void> {
  const role = roadmap?.roles.find((each) => each.id === id)
  if (role) await ctx.ask(guardianView(ctx.t, { name: roleLabel(role), limits: role.limits }))
}

/** Consent on the introduction of a role: its tests belong to this account from here on. */
export async function acceptRole(ctx: UpdateContext, file: RecordFile, hand: RoleAssignment): Promise<void> {
  const { who, account, language, now, deps } = ctx
  if (!isOpenToRole(file, hand)) return sendText(ctx, 'invitation-used')
  const consent = { at: now, language, version: CONSENT_VERSION }
  const beginner = { who, chatId: account.chatId, language, consent }
  const taken = begun(hand.assignee, beginner, { isInvited: true })
  if (!taken) return sendText(ctx, 'invitation-used')
  const kept = await ctx.work.get(invitations, hashCode(ctx, hand.code))
  const made = isMade(kept) ? kept : undefined
  const closed = made && whyClosed(made, now)
  if (closed) return sendText(ctx, closedWords[closed])
  const resultTo = resultToOf(deps.config, file)
  if (isReceiverAsRead(ctx, file, resultTo) === false) {
    await sendText(ctx, 'invitation-changed')
    return introduceRole(ctx, file, hand)
  }
  if (made) Object.assign(made, { over: 'used', overAt: now } satisfies Partial<MadeInvitation>)
  file.resultTo = resultTo
  // Roles that were invited one by one: the first of them begins the whole.
  if (isParted(await assigneeOf(ctx, file.token)) && accountsOf(file, undefined).length === 0)
    noteBegun(ctx, file)
  hand.assignee = taken
  await giveRecords(ctx, file, hand.role)
  await notifyOthers(ctx, file)
  account.focus = file.s
  if (account.asked !== undefined) await ctx.disarm(account.asked)
  delete account.asked
  if ((await showBeforeTests(ctx, file)) === 'nothing before') await showBoard(ctx, file)
}
