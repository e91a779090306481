import { ownerOf } from '../dialog/access.ts'
import { assign, fileOf, keepIndex, knownFile } from '../dialog/files.ts'
import { noteAct } from '../dialog/note-act.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { accountOf, parted, rejoined } from '../domain/assignee.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { isIn } from '../domain/record/record.ts'
import { move, rolesOpened } from '../domain/record/transitions.ts'
import { assignmentOf, everyRecord, recordsOf } from '../domain/roadmap.ts'
import { invite, whyNotInvitable } from '../jobs/invite.ts'
import { openBoard } from '../participant/board.ts'
import { describeRoadmap } from '../participant/check-record.ts'
import type { Roadmap } from '../service/wire.ts'
import { invitations, isMade, type MadeInvitation, newCode } from '../storage/documents/invitations.ts'
import { codeKey } from '../storage/documents/keys.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import { seenRoadmap } from './seen.ts'
import { refuse, showInvitation } from './show-invitation.ts'

/**
 * Invites to one role of a roadmap whose profiles exist: each takes part with their own Telegram, and nobody owns the
 * whole. An invitation that waits already is shown again.
 */
export async function inviteRole(ctx: UpdateContext, roadmap: Roadmap, roleId: number): Promise<void> {
  const { work, deps, now, account } = ctx
  const seen = seenRoadmap(roadmap)
  const refusal = await whyNotInvitable(work, deps.vault, seen)
  if (refusal !== undefined && refusal !== 'roles') return refuse(ctx, refusal, seen)
  const role = roadmap.roles.find(({ id }) => id === roleId)
  if (!role) return refuse(ctx, 'role-unknown', seen)
  if (roadmap.auth_required || roadmap.status === 0) return refuse(ctx, 'role-early', seen)
  const file = await openForRoles(ctx, roadmap)
  const part = file.roadmap
  const known = part && assignmentOf(part, roleId)
  const waiting = known && (await work.get(invitations, codeKey(deps.vault, known.code)))
  if (isMade(waiting) && waiting.over === undefined && accountOf(known?.assignee) === undefined) {
    // It may have expired: who asks for it wants it open.
    delete waiting.until
    return showInvitation(ctx, waiting)
  }
  const isReleased = known?.assignee.is === 'released'
  const records = part ? recordsOf(part, roleId) : []
  const isOpen = isIn(file, 'board', 'failed') && records.some(({ isFinished }) => !isFinished)
  if (!part || !(isReleased || (isOpen && !known))) return refuse(ctx, 'role-done', seen)
  const code = newCode()
  const finishedBefore = records.filter(({ isFinished }) => isFinished).length
  // What was released keeps its answers, and only the way to it is new.
  if (known) known.code = code
  else part.hands.push({ role: roleId, code, finishedBefore, assignee: { is: 'invited' } })
  const { token, title, kind } = seen
  const ofRole = { s: file.s, id: roleId, title: role.title }
  const made = await invite(
    { work, vault: deps.vault, now },
    { kind, token, title, by: account.chatId, role: ofRole },
    code,
  )
  await noteAct(ctx, 'invite', token)
  await showInvitation(ctx, made)
}

/** The roadmap's file, claimed by no account: only its roles are open. */
async function openForRoles(ctx: UpdateContext, roadmap: Roadmap): Promise<RecordFile> {
  const { work, now } = ctx
  const token = roadmap.token.toLowerCase()
  const file = await fileOf(ctx, { kind: 'roadmap', token })
  if (!(await work.get(recordFiles, file.s))) work.put(recordFiles, file.s, file)
  describeRoadmap(file, roadmap, now)
  if (await assign(ctx, token, parted)) move(file, rolesOpened)
  file.isBegun = true
  keepIndex(ctx, file)
  await openBoard(ctx, file)
  return file
}

/** The last invitation to a role was revoked before anybody began: the roadmap is free again as a whole. */
export async function closeRole(ctx: UpdateContext, made: MadeInvitation): Promise<void> {
  const { work } = ctx
  const file = await knownFile(ctx, made.token)
  const part = file?.roadmap
  if (!file || !part) return
  if (part.hands.some(({ code, assignee }) => code === made.code && assignee.is === 'released')) return
  part.hands = part.hands.filter(({ code }) => code !== made.code)
  if (part.hands.length > 0 || (await ownerOf(ctx, file)) !== undefined) return
  for (const { s } of everyRecord(part)) work.remove(recordFiles, s)
  work.remove(recordFiles, file.s)
  await assign(ctx, made.token, rejoined)
}
