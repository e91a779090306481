import { acceptedAssignments, isMine, openedAssignment } from '../dialog/access.ts'
import { consentNow } from '../dialog/agreement.ts'
import { noteAsksToBegin } from '../dialog/asked-last.ts'
import { leaveAside } from '../dialog/expected.ts'
import { assigneeOf, remember } from '../dialog/files.ts'
import { opensNothing, sendText, withOtherLanguage } from '../dialog/send.ts'
import { askForMobile } from '../dialog/takeover-mobile.ts'
import { offerWayBack, withdrawEarly } from '../dialog/typed-messages.ts'
import { leadTo, leaveAsked, type UpdateContext } from '../dialog/update-context.ts'
import { accountOf, begun, isAssignee, isParted } from '../domain/assignee.ts'
import { roleLabel } from '../domain/record/names.ts'
import { accountsOf, hasProfile, isIn, type RecordFile } from '../domain/record/record.ts'
import {
  assignmentOf,
  type RoadmapRole,
  type RoleAssignment,
  recordsOf,
  roleNeedsGuardian,
  roleOf,
} from '../domain/roadmap.ts'
import { madeInvitation, useUp } from '../jobs/invite.ts'
import { resultToOf } from '../jobs/recipients.ts'
import type { HandedRole } from '../storage/documents/invitations.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import { roleIntroductionView } from '../views/introduction.ts'
import { guardianView } from '../views/profile.ts'
import { giveRecords, inviterOf } from './assign-role.ts'
import { notifyOthers } from './board.ts'
import { elsewhereText } from './deliver.ts'
import { mayBegin, noteBegun, noteRead, openedInvitation } from './may-begin.ts'

/**
 * Opens the invitation to a role: shows its tests and who receives the report, or, if this account already
 * has the role, its place.
 */
export async function openRoleInvitation(
  ctx: UpdateContext,
  code: string,
  given: HandedRole | undefined,
): Promise<void> {
  const { account, work } = ctx
  if (given?.overAt !== undefined) return sendText(ctx, 'invitation-revoked')
  const file = given && (await work.get(recordFiles, given.s))
  const hand = file?.roadmap && given && assignmentOf(file.roadmap, given.role)
  // After an organizer's release another code leads to the role.
  if (!file || hand?.code !== code) return hand ? sendText(ctx, 'invitation-used') : opensNothing(ctx)
  const isOwn = await isMine(ctx, file)
  if (isAssignee(hand.assignee, 'released')) {
    const isLost = hand.assignee.before?.includes(ctx.who)
    if (isOwn || isLost) return sendText(ctx, isOwn ? 'hand-own' : 'invitation-used')
    const { s, token } = file
    return askForMobile(ctx, { s, token, kind: 'roadmap', role: hand.role, code })
  }
  const isInvited = hand.assignee.is === 'invited'
  const isTaken = !isInvited && accountOf(hand.assignee) !== ctx.who
  if (isTaken) return sendText(ctx, 'invitation-used')
  if (isInvited && !isOpenToRole(file, hand)) return sendEnded(ctx, file)
  if (isOwn) return sendText(ctx, 'hand-own')
  leaveAside(ctx)
  account.invited = { ...account.invited, [file.s]: code }
  await offerWayBack(ctx, file)
  account.focus = file.s
  await remember(ctx, file)
  if (isInvited) await introduceRole(ctx, file, hand)
  else leadTo(ctx, file)
}

/** Only people whose attempts led to the report receive it, so a role needs a test that is left to do. */
const isOpenToRole = (file: RecordFile, { role }: RoleAssignment): boolean =>
  isIn(file, 'waiting', 'profile', 'board', 'failed') &&
  file.roadmap !== undefined &&
  recordsOf(file.roadmap, role).some(({ isFinished }) => !isFinished)

/** The role has not been accepted, and none of its tests is left to do. */
async function sendEnded(ctx: UpdateContext, file: RecordFile): Promise<void> {
  await ctx.send({ text: elsewhereText(ctx, isIn(file, 'elsewhere') ? file.state : {}) })
}

async function introduceRole(ctx: UpdateContext, file: RecordFile, { role: id }: RoleAssignment) {
  const { s, test, roadmap } = file
  const role = roleOf(roadmap, id)
  if (!roadmap || !role) return
  const tests = recordsOf(roadmap, id).map(({ title }) => title)
  const { config } = ctx.deps
  const by = await inviterOf(ctx, file)
  const until = (await openedInvitation(ctx, file))?.until
  const terms = { ...config, resultTo: noteRead(ctx, file, resultToOf(config, file)), until }
  const introduction = { ...terms, s, title: test.title, role: role.title, tests, by }
  await ctx.ask(withOtherLanguage(ctx, roleIntroductionView(ctx.t, introduction)))
  noteAsksToBegin(ctx, s)
}

/** Leads an account that has a role of another's roadmap to what comes before its tests. */
export async function showBeforeTests(ctx: UpdateContext, file: RecordFile) {
  if (await isMine(ctx, file)) return 'nothing before'
  const child = childOf(ctx, file)
  const role = child && roleOf(file.roadmap, child.role)
  const opened = openedAssignment(ctx, file)
  if (role) await askGuardian(ctx, role)
  else if (opened && acceptedAssignments(ctx, file).length === 0) await introduceRole(ctx, file, opened)
  else return 'nothing before'
  return 'shown'
}

/** The role of a child on its own account that waits for the guardian's consent. */
export const childOf = (ctx: UpdateContext, file: RecordFile): RoleAssignment | undefined =>
  acceptedAssignments(ctx, file).find((hand) => file.roadmap && roleNeedsGuardian(file.roadmap, hand))

/** Asks for the guardian of the person who takes a role. */
export const askGuardian = (ctx: UpdateContext, role: RoadmapRole): Promise<void> =>
  ctx.ask(guardianView(ctx.t, { name: roleLabel(role), limits: role.limits }))

/** Consent on the introduction of a role: its tests belong to this account from now on. */
export async function acceptRole(ctx: UpdateContext, file: RecordFile, hand: RoleAssignment): Promise<void> {
  const { who, account, language, now, deps, work } = ctx
  if (!isOpenToRole(file, hand)) return sendEnded(ctx, file)
  const resultTo = resultToOf(deps.config, file)
  const consent = consentNow(ctx, resultTo)
  const beginner = { who, chatId: account.chatId, language, consent }
  const taken = begun(hand.assignee, beginner, { isInvited: true })
  if (!taken) return sendText(ctx, 'invitation-used')
  const made = await madeInvitation(work, hand.code)
  const may = await mayBegin(ctx, file, made, resultTo)
  if (may !== 'yes') return may === 'changed' ? introduceRole(ctx, file, hand) : undefined
  useUp(made, now)
  file.resultTo = resultTo
  // The roles were invited separately: the first accepted one begins the whole.
  if (isParted(await assigneeOf(ctx, file.token)) && accountsOf(file, undefined).length === 0)
    await noteBegun(ctx, file)
  hand.assignee = taken
  await giveRecords(ctx, file, hand.role)
  await notifyOthers(ctx, file)
  account.focus = file.s
  leaveAsked(ctx)
  if (hasProfile(file)) await withdrawEarly(ctx)
  leadTo(ctx, file)
}
