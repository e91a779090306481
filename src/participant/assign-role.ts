import { acceptedAssignments, isMine, membersHere } from '../dialog/access.ts'
import { dropCall, isPending, onBehalfOf } from '../dialog/call.ts'
import { assigneeOf, endTalk, forgetAssignee, isReleased, removeFile } from '../dialog/files.ts'
import { askWho } from '../dialog/profile-made.ts'
import { detailsFile, dropDetails, notifyHolder, notifyOwner } from '../dialog/role-details.ts'
import { sendOneMoment, sendText } from '../dialog/send.ts'
import { leaveDraft, takeEarly } from '../dialog/typed-messages.ts'
import { leadTo, type UpdateContext } from '../dialog/update-context.ts'
import { accountOf } from '../domain/assignee.ts'
import { linkTo } from '../domain/invitation.ts'
import { firstName } from '../domain/persian/first-name.ts'
import { askElsewhere, askHere } from '../domain/profile.ts'
import { roleLabel } from '../domain/record/names.ts'
import { hasProfile, isIn, isResultOwed, type RecordFile } from '../domain/record/record.ts'
import { detailsAsked, move, profileReopened } from '../domain/record/transitions.ts'
import {
  assignmentOf,
  everyRecord,
  ownRole,
  type RoadmapPart,
  type RoadmapRole,
  type RoleAssignment,
  roleOf,
} from '../domain/roadmap.ts'
import { generationJob } from '../jobs/analysis.ts'
import { resultJob } from '../jobs/deliver-result.ts'
import { madeInvitation } from '../jobs/invite.ts'
import { watchRecord } from '../jobs/watch-jobs.ts'
import { ownerOf } from '../storage/documents/attempts.ts'
import { invitations, isMade, type MadeInvitation } from '../storage/documents/invitations.ts'
import { accounts, codeKey, owedResults, recordFiles } from '../storage/documents/kinds.ts'
import { roleInvitationView } from '../views/hand-over.ts'
import { finishedOf, groupsOf, notifyOthers, showBoard } from './board.ts'
import { awaitAnalysis } from './generation.ts'
import { giveRecord, openTests } from './roadmap-records.ts'

/** Gives the tests of a role to another account, by an invitation that the participant forwards. */
export async function assignRole(ctx: UpdateContext, file: RecordFile, roleId: number): Promise<void> {
  const { roadmap } = file
  if (isIn(file, 'profile', 'code')) return assignBefore(ctx, file, roleId)
  const group = await groupOf(ctx, file, roleId)
  if (!roadmap || !group || roadmap.roles.length < 2) return sendText(ctx, 'button-old')
  const { role, tests, canHand } = group
  const known = assignmentOf(roadmap, roleId)
  if (!known && !canHand) {
    await sendText(ctx, 'hand-begun')
    return showBoard(ctx, file)
  }
  const link = linkTo(ctx.deps.username, `i_${known?.code ?? giveAway(ctx, file, roleId, finishedOf(tests))}`)
  await askWho(ctx, file)
  await showBoard(ctx, file)
  await sendInvitation(ctx, file, role, link)
}

/** Makes an invitation to a role; returns its code. */
function giveAway({ work, newCode }: UpdateContext, file: RecordFile, role: number, finishedBefore: number) {
  const code = newCode(`${file.s}:${role}`)
  file.roadmap?.hands.push({ role, code, finishedBefore, assignee: { is: 'invited' } })
  work.put(invitations, codeKey(work.vault, code), { s: file.s, role })
  return code
}

async function sendInvitation(ctx: UpdateContext, file: RecordFile, role: RoadmapRole, link: string) {
  await ctx.send({ text: ctx.t('hand-forward', { role: roleLabel(role) }) })
  // The link is the last message, so that it can be forwarded at once.
  await ctx.send(roleInvitationView(ctx.t, { role: role.title, title: file.test.title, link }))
}

/** Before the registration the person gives the details, too, with their own Telegram. */
async function assignBefore(ctx: UpdateContext, file: RecordFile, roleId: number): Promise<void> {
  const role = roleOf(file.roadmap, roleId)
  if (!role || !(await giveDetailsAway(ctx, file, roleId))) return sendText(ctx, 'button-old')
  const known = file.roadmap && assignmentOf(file.roadmap, roleId)
  const link = linkTo(ctx.deps.username, `i_${known?.code ?? giveAway(ctx, file, roleId, 0)}`)
  // The question for that person's name is no longer asked here.
  if (!known && ctx.account.asked !== undefined) ctx.deleteMessages([ctx.account.asked])
  await sendInvitation(ctx, file, role, link)
  if (known) return
  // The inviting person is asked who they are, so that invited people can read it; then the dialog goes on.
  await askWho(ctx, file)
  leadTo(ctx, file)
}

/** The group of a role on the board of the roadmap's owner. */
async function groupOf(ctx: UpdateContext, file: RecordFile, roleId: number) {
  const groups = file.roadmap && (await isMine(ctx, file)) ? await groupsOf(ctx, file, file.roadmap) : []
  return groups.find(({ role }) => role.id === roleId)
}

/** Takes a role back, as long as its tests are not begun by the other account. */
export async function takeBack(ctx: UpdateContext, file: RecordFile, roleId: number): Promise<void> {
  const { roadmap } = file
  const hand = roadmap && assignmentOf(roadmap, roleId)
  if (isIn(file, 'profile', 'code')) return takeBackBefore(ctx, file, hand)
  const group = await groupOf(ctx, file, roleId)
  if (!roadmap || !hand || !group) return sendText(ctx, 'button-old')
  if (!group.canTakeBack) {
    await sendText(ctx, 'unhand-begun')
    return showBoard(ctx, file)
  }
  await endAssignment(ctx, roadmap, hand)
  await giveRecords(ctx, file, roleId)
  notifyHolder(ctx, file, hand.assignee, { kind: 'unhanded', role: group.role.title })
  await askWho(ctx, file)
  await showBoard(ctx, file)
}

/** Takes a role back before the registration: its details are asked for here, those given are deleted. */
async function takeBackBefore(ctx: UpdateContext, file: RecordFile, hand: RoleAssignment | undefined) {
  const { roadmap } = file
  const role = roleOf(roadmap, hand?.role)
  if (!roadmap || !hand || !role || !isIn(file, 'profile') || !(await isMine(ctx, file)))
    return sendText(ctx, 'button-old')
  // The details are part of the pending call.
  if (isPending(ctx, file.s)) return sendOneMoment(ctx)
  await endAssignment(ctx, roadmap, hand)
  await askRole(ctx, file, role)
  const typed = await dropDetails(ctx, file, role.id)
  notifyHolder(ctx, file, hand.assignee, { kind: 'unhanded', role: role.title, typed })
  leadTo(ctx, file)
}

async function endAssignment(ctx: UpdateContext, roadmap: RoadmapPart, hand: RoleAssignment): Promise<void> {
  roadmap.hands = roadmap.hands.filter((each) => each !== hand)
  await endAssignments(ctx, [hand])
  const made = await madeInvitation(ctx.work, hand.code)
  if (made) Object.assign(made, { over: 'revoked', overAt: ctx.now } satisfies Partial<MadeInvitation>)
}

/** Gives the unfinished tests of a role to its present account, but not those begun by another's own link. */
export async function giveRecords(ctx: UpdateContext, file: RecordFile, role: number): Promise<void> {
  const { work, who } = ctx
  const owner = await ownerOf(ctx.work, file)
  for (const record of file.roadmap ? everyRecord(file.roadmap, role) : []) {
    const { s, token, isFinished } = record
    if (isFinished || !(await work.get(recordFiles, s))) continue
    const own = await assigneeOf(ctx, token)
    const begunBy = accountOf(own)
    // A test begun by its own link stays with its account, or waits for its take-over, unless that account
    // gives the role away.
    if (own.is === 'released' || (begunBy !== undefined && (begunBy === who || begunBy !== owner))) continue
    if (begunBy !== undefined) forgetAssignee(ctx, token)
    // The attempt of the previous account is not kept.
    await giveRecord(ctx, file, record)
  }
}

/** Returns the roles that this account has in another's roadmap to the owner. */
export async function giveBack(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { roadmap } = file
  const own = acceptedAssignments(ctx, file)
  if (!roadmap || own.length === 0) return
  await endAssignments(ctx, own, { isForgotten: true })
  roadmap.hands = roadmap.hands.filter((hand) => !own.includes(hand))
  await askMissingDetails(ctx, file, own)
  await leave(ctx, file)
}

/**
 * Ends the participant's invitations to these roles, which then say so; those of a forgotten account are
 * deleted. Invitations made by an organizer stay, for questions about them.
 */
export async function endAssignments(
  { work, now }: UpdateContext,
  hands: readonly RoleAssignment[],
  { isForgotten = false } = {},
): Promise<void> {
  for (const { code } of hands) {
    const key = codeKey(work.vault, code)
    const kept = await work.get(invitations, key)
    if (!kept || isMade(kept)) continue
    if (isForgotten) work.remove(invitations, key)
    else work.put(invitations, key, { ...kept, overAt: now })
  }
}

/** The other accounts of a roadmap go on without this one, also with work that was done on its behalf. */
export async function leave(ctx: UpdateContext, file: RecordFile, who = ctx.who): Promise<void> {
  const { work } = ctx
  const { s, roadmap, state } = file
  if (!roadmap) return
  // After a release of the whole the next account starts with the person who last had the phone.
  if ((await assigneeOf(ctx, file.token)).before?.at(-1) !== who) delete roadmap.lastRoles?.[who]
  await notifyOthers(ctx, file)
  const [member] = await membersHere(ctx, file)
  if (!member) return leaveEmpty(ctx, file, roadmap)
  const job = { s, onBehalf: await onBehalfOf(ctx, member) }
  if (roadmap.autoAt !== undefined) await awaitAnalysis(ctx, file)
  if (state.stage === 'generating') generationJob.post(work, s, { ...job, phase: 'start' }, { replace: true })
  if (!isResultOwed(file)) return
  resultJob.post(work, s, job, { replace: true })
  // Its term starts again, and so does its watch.
  await work.touch(owedResults, s)
  watchRecord(ctx, file)
}

/** No account takes part: deletes the roadmap, unless a role may be accepted or the whole taken over. */
async function leaveEmpty(ctx: UpdateContext, file: RecordFile, roadmap: RoadmapPart): Promise<void> {
  if (await isReleased(ctx, file)) return
  delete roadmap.isOpened
  if (roadmap.hands.length > 0 && isIn(file, 'waiting', 'board', 'failed')) return
  await endAssignments(ctx, roadmap.hands, { isForgotten: true })
  await removeFile(ctx, file)
}

/**
 * Before the registration: the details of a role are asked for on another phone, no longer here. Returns
 * `false` if that is impossible, as for the last person left here.
 */
async function giveDetailsAway(ctx: UpdateContext, file: RecordFile, role: number): Promise<boolean> {
  if (!file.roadmap || !(await isMine(ctx, file)) || !isIn(file, 'profile')) return false
  const hand = assignmentOf(file.roadmap, role)
  if (hand) return hand.assignee.is === 'invited'
  if (!askElsewhere(file.state.draft, role)) return false
  // A waiting correction or doubt still counts the people from before.
  await endTalk(ctx, file.s)
  return true
}

/** Before the registration: asks the owner for the details of a role, before all other details. */
async function askRole(ctx: UpdateContext, file: RecordFile, role: RoadmapRole): Promise<void> {
  delete role.name
  await endTalk(ctx, file.s)
  const order = file.roadmap?.roles.map(({ id }) => id) ?? []
  if ('draft' in file.state && file.state.draft) askHere(file.state.draft, role, order)
}

/** An account that was to give its own details is gone: the owner is asked for them. */
async function askMissingDetails(ctx: UpdateContext, file: RecordFile, hands: readonly RoleAssignment[]) {
  if (hasProfile(file)) return
  // The code belongs to details that are gone.
  if (isIn(file, 'code')) move(file, profileReopened)
  const owner = await ownerOf(ctx.work, file)
  const account = owner !== undefined && isIn(file, 'profile') && (await ctx.work.get(accounts, owner))
  // So does the pending call: it is dropped before its outcome comes.
  if (account && account.pending[file.s] !== undefined) await dropCall({ account, work: ctx.work }, file.s)
  for (const hand of hands) {
    const role = roleOf(file.roadmap, hand.role)
    if (!role) continue
    await askRole(ctx, file, role)
    await notifyOwner(ctx, file, { kind: 'details', role: role.id, has: 'gone' })
  }
}

/** Asks the account of a role for its details, or says what these wait for. */
export async function showDetails(ctx: UpdateContext, whole: RecordFile, hand: RoleAssignment) {
  await openTests(ctx, whole, hand.role)
  const file = await detailsFile(ctx, whole, hand.role)
  const role = roleOf(whole.roadmap, hand.role)
  await leaveDraft(ctx, file)
  if (file && role && move(file, detailsAsked, role)) watchRecord(ctx, file)
  if (!file || !isIn(file, 'profile')) return sendAwaited(ctx, whole)
  const [person] = file.state.draft.people
  // An account with several roles must know whose details these are.
  if (person && role && acceptedAssignments(ctx, whole).length > 1)
    person.role = { id: role.id, title: role.title }
  else delete person?.role
  await takeEarly(ctx, file)
  ctx.account.focus = file.s
  ctx.due = { show: 'question', file }
}

async function sendAwaited(ctx: UpdateContext, whole: RecordFile): Promise<void> {
  ctx.account.focus = whole.s
  const by = await inviterOf(ctx, whole)
  await (by === undefined ? sendText(ctx, 'board-not-ready') : sendText(ctx, 'details-wait', { by }))
}

/** The first name of the roadmap's owner, if it is known which of the people the owner is. */
export async function inviterOf(ctx: UpdateContext, file: RecordFile): Promise<string | undefined> {
  const { roadmap } = file
  const owner = await ownerOf(ctx.work, file)
  const role = roadmap && owner !== undefined ? ownRole(roadmap, owner, owner) : undefined
  const people = isIn(file, 'profile', 'code') ? file.state.draft.people : []
  const typed = people.find((person) => role && person.role?.id === role.id)?.name
  return role?.name ?? (typed === undefined ? undefined : firstName(typed))
}
