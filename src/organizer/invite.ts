import type { Composer } from 'grammy'
import { assign, fileOf, keepIndex } from '../dialog/files.ts'
import { type IncomingContext, onButton } from '../dialog/incoming.ts'
import { askForOne } from '../dialog/organizer.ts'
import { sendText } from '../dialog/send.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import type { OrganizerAct } from '../domain/account.ts'
import { accountOf, isAssignee, parted } from '../domain/assignee.ts'
import { findInvitation, whyClosed } from '../domain/invitation.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { move, rolesOpened } from '../domain/record/transitions.ts'
import { assignmentOf, type RoleAssignment, recordsOf } from '../domain/roadmap.ts'
import { wantedIds } from '../jobs/batch-rows.ts'
import type { Found } from '../jobs/call-table.ts'
import { madeInvitation, whyNotInvitable } from '../jobs/invite.ts'
import { logEnrolment } from '../jobs/stage-counts.ts'
import { describeRoadmap, openBoard } from '../participant/roadmap-records.ts'
import type { Roadmap } from '../service/wire.ts'
import { type InviteRefusal, invitationDetails } from '../storage/documents/invitations.ts'
import { codeKey, recordFiles } from '../storage/documents/kinds.ts'
import { buttons } from '../views/buttons.ts'
import { inviteToRole, makeInvitation, showInvitation } from './invitation.ts'
import { seenIn } from './seen.ts'

/** `/invite` with its lines, and the button that makes an invitation. */
export function inviting(composer: Composer<IncomingContext>): void {
  onButton(composer, buttons.invite, ({ ctx }, _, { kind, token }, role?: number) =>
    askForOne(ctx, { act: 'invite', token, kind, role }),
  )
  onButton(composer, buttons.made, async ({ ctx }, next, code) => {
    const made = await madeInvitation(ctx.work, code)
    await (made ? showInvitation(ctx, made) : next())
  })
  composer.command('invite', async ({ ctx, match, msg }) => {
    const text = match.trim()
    const opened = findInvitation(text)
    const made = opened?.kind === 'code' && (await madeInvitation(ctx.work, opened.code))
    if (made) return showInvitation(ctx, made)
    const given = text === '' ? undefined : { text, messageId: msg.message_id }
    ctx.due = { show: 'aside', aside: { ask: 'lines', given } }
  })
  composer.on('message:document', async ({ ctx, msg }, next) => {
    const meant = /^\/invite(?:@\w+)?(?:\s+(\S.*))?$/is.exec(msg.caption?.trim() ?? '')
    if (!meant) return next()
    const given = { document: msg.document, text: meant[1], messageId: msg.message_id }
    ctx.due = { show: 'aside', aside: { ask: 'lines', given } }
  })
}

/** Makes the wanted invitation, for the record or roadmap that the service has under its token. */
export async function takeInvitable(
  ctx: UpdateContext,
  { kind, externalId, externalIds, details, role }: Extract<OrganizerAct, { act: 'invite' }>,
  found: Found,
): Promise<void> {
  const seen = seenIn(found)
  if (!seen) return sendText(ctx, 'organizer-unknown')
  if (kind !== undefined && kind !== seen.kind) return sendText(ctx, `invite-is-${seen.kind}`)
  const { token, title } = seen
  const roles = seen.kind === 'roadmap' ? seen.roles : undefined
  const roleIds = roles ? wantedIds({ externalId, externalIds }, roles) : []
  if (!roleIds)
    return sendText(ctx, 'invite-id-roadmap', { roles: roles?.map(({ title }) => title).join('، ') ?? '' })
  const refusal = await whyNotInvitable(ctx.work, seen)
  if (role !== undefined && found.found === 'roadmap')
    return inviteRole(ctx, found.roadmap, role, { title, refusal })
  if (refusal) return sendText(ctx, `invite-${refusal}`, { title })
  const made = await makeInvitation(ctx, {
    kind: seen.kind,
    token,
    title,
    ...(!roles && externalId !== undefined && { externalId }),
    ...(roleIds.length > 0 && { roleIds }),
  })
  const { code, at } = made
  if (details && !roles) ctx.work.put(invitationDetails, codeKey(ctx.work.vault, code), { ...details, at })
  await showInvitation(ctx, made)
}

/**
 * Invites to one role of a roadmap whose profiles exist: each person takes part with their own Telegram, and
 * no account owns the whole. An invitation that is waiting already is shown again.
 */
async function inviteRole(
  ctx: UpdateContext,
  roadmap: Roadmap,
  roleId: number,
  { title, refusal }: { title: string; refusal: InviteRefusal | undefined },
): Promise<void> {
  if (refusal !== undefined && refusal !== 'roles') return sendText(ctx, `invite-${refusal}`, { title })
  const role = roadmap.roles.find(({ id }) => id === roleId)
  if (!role) return sendText(ctx, 'invite-role-unknown', { title })
  if (roadmap.auth_required || roadmap.status === 0) return sendText(ctx, 'invite-role-early', { title })
  const file = await openForRoles(ctx, roadmap)
  if (!file) return sendText(ctx, 'invite-claimed', { title })
  const part = file.roadmap
  const known = part && assignmentOf(part, roleId)
  const waiting = await madeInvitation(ctx.work, known?.code)
  if (waiting && waiting.over === undefined && accountOf(known?.assignee) === undefined) {
    // An organizer who asks for an expired invitation wants it open.
    if (whyClosed(waiting, ctx.now)) delete waiting.until
    return showInvitation(ctx, waiting)
  }
  const isReleased = known?.assignee.is === 'released'
  const records = part ? recordsOf(part, roleId) : []
  const isOpen = isIn(file, 'board', 'failed') && records.some(({ isFinished }) => !isFinished)
  // Of an invitation that expired long ago, only the role is stored.
  const isFree = !known || isAssignee(known.assignee, 'invited')
  if (!part || !(isReleased || (isOpen && isFree))) return sendText(ctx, 'invite-role-done', { title })
  const finishedBefore = records.filter(({ isFinished }) => isFinished).length
  // A released role keeps its answers. Only its invitation is new.
  const hand: RoleAssignment = known ?? {
    role: roleId,
    code: '',
    finishedBefore,
    assignee: { is: 'invited' },
  }
  if (!known) part.hands.push(hand)
  await showInvitation(ctx, await inviteToRole(ctx, file, role, hand))
}

/** The file of a roadmap that no account owns; `undefined` where it was begun, or released, as a whole. */
async function openForRoles(ctx: UpdateContext, roadmap: Roadmap): Promise<RecordFile | undefined> {
  const { work, now } = ctx
  const token = roadmap.token.toLowerCase()
  if (!(await assign(ctx, token, parted))) return undefined
  const file = await fileOf(ctx, { kind: 'roadmap', token })
  if (!(await work.get(recordFiles, file.s))) work.put(recordFiles, file.s, file)
  describeRoadmap(file, roadmap, now)
  move(file, rolesOpened)
  file.isBegun = true
  keepIndex(ctx, file)
  await openBoard(ctx, file)
  await logEnrolment(ctx, file)
  return file
}
