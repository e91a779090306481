import { isMine, ownerOf } from '../dialog/access.ts'
import { sendText } from '../dialog/notify.ts'
import { askWho } from '../dialog/profile-made.ts'
import { detailsFile, dropDetails, notifyOwner, tellHolder } from '../dialog/role-details.ts'
import { leaveDraft } from '../dialog/typed.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { askElsewhere, askHere } from '../domain/profile.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { detailsAsked, move } from '../domain/record/transitions.ts'
import { firstName } from '../domain/record/whose.ts'
import {
  assignmentOf,
  ownRole,
  type RoadmapRole,
  type RoleAssignment,
  recordsOf,
  roleOf,
} from '../domain/roadmap.ts'
import { watchRecord } from '../jobs/watch-jobs.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import { openTests } from './roadmap-records.ts'

/**
 * Before the registration: the details of a role are asked on another phone from here on, and here no more. `false`
 * where that is not possible, as for the last person that is left here.
 */
export async function giveDetailsAway(ctx: UpdateContext, file: RecordFile, role: number): Promise<boolean> {
  if (!file.roadmap || !(await isMine(ctx, file)) || !isIn(file, 'profile')) return false
  const hand = assignmentOf(file.roadmap, role)
  return hand ? hand.assignee.is === 'invited' : askElsewhere(file.state.draft, role)
}

/** Whoever invites is asked who they are, so that those who are invited read it; then what is missing here. */
export async function goOnHere(ctx: UpdateContext, file: RecordFile): Promise<void> {
  await askWho(ctx, file)
  ctx.due = { show: 'question', file }
}

/** Before the registration: the details of a role are asked of the one who began, and what was given for it leaves. */
export async function takeDetailsBack(ctx: UpdateContext, file: RecordFile, role: RoadmapRole) {
  askRole(file, role)
  return dropDetails(ctx, file, role.id)
}

function askRole(file: RecordFile, role: RoadmapRole): void {
  delete role.name
  const order = file.roadmap?.roles.map(({ id }) => id) ?? []
  if (isIn(file, 'profile', 'code')) askHere(file.state.draft, role, order)
}

/** Somebody who was to give their own details is not there any more. */
export async function missDetails(ctx: UpdateContext, file: RecordFile, hands: readonly RoleAssignment[]) {
  for (const hand of isIn(file, 'profile', 'code') ? hands : []) {
    const role = roleOf(file.roadmap, hand.role)
    if (!role) continue
    askRole(file, role)
    await notifyOwner(ctx, file, { kind: 'details', role: role.id, has: 'gone' })
  }
}

/** It ends before it was registered: whoever gave details for it is told, and nothing of them stays. */
export async function endUnregistered(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { roadmap } = file
  if (!roadmap || !isIn(file, 'profile', 'code')) return
  for (const { role, assignee } of roadmap.hands) {
    tellHolder(ctx, file, assignee, { kind: 'unhanded', typed: await dropDetails(ctx, file, role) })
    for (const { s } of recordsOf(roadmap, role)) ctx.work.remove(recordFiles, s)
  }
}

/** Asks whoever has accepted a role for their own details, or says what those wait for. */
export async function showDetails(ctx: UpdateContext, whole: RecordFile, hand: RoleAssignment) {
  await openTests(ctx, whole, hand.role)
  const file = await detailsFile(ctx, whole, hand.role)
  const role = roleOf(whole.roadmap, hand.role)
  await leaveDraft(ctx, file)
  if (file && role && move(file, detailsAsked, role)) watchRecord(ctx, file)
  if (!file || !isIn(file, 'profile')) return sayAwaited(ctx, whole)
  ctx.account.focus = file.s
  ctx.due = { show: 'question', file }
}

async function sayAwaited(ctx: UpdateContext, whole: RecordFile): Promise<void> {
  ctx.account.focus = whole.s
  const by = await inviterOf(ctx, whole)
  await (by === undefined ? sendText(ctx, 'board-not-ready') : sendText(ctx, 'details-wait', { by }))
}

/** The first name of the one who began, as far as it is known which of the persons that is. */
export async function inviterOf(ctx: UpdateContext, file: RecordFile): Promise<string | undefined> {
  const { roadmap } = file
  const owner = await ownerOf(ctx, file)
  const role = roadmap && owner !== undefined ? ownRole(roadmap, owner, owner) : undefined
  const people = isIn(file, 'profile', 'code') ? file.state.draft.people : []
  const typed = people.find((person) => role && person.role?.id === role.id)?.name
  return role?.name ?? (typed === undefined ? undefined : firstName(typed))
}
