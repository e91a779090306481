import { ownerOf } from '../dialog/access.ts'
import { releaseAttempt } from '../dialog/attempt.ts'
import { assigneeOf, forgetAssignee } from '../dialog/files.ts'
import { noteAct } from '../dialog/note-act.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { accountOf, isIn, isParted, released } from '../domain/assignee.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { roleLabel } from '../domain/record/whose.ts'
import {
  assignmentOf,
  isGiven,
  type RoadmapRecord,
  type RoadmapRole,
  type RoleAssignment,
  recordsOf,
} from '../domain/roadmap.ts'
import { invite } from '../jobs/invite.ts'
import { leave } from '../participant/leave-roadmap.ts'
import { postEvent } from '../queue/chat-message.ts'
import { invitations, isMade, type MadeInvitation, newCode } from '../storage/documents/invitations.ts'
import { codeKey } from '../storage/documents/keys.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import { releaseRoleView, releaseView } from '../views/organizer-release.ts'
import { notifyDone } from './release-done.ts'

/** A role of a roadmap that has an account of its own, or had it until it was released. */
type GivenRole = { file: RecordFile; role: RoadmapRole; hand: RoleAssignment; s: string }

/** The roles of a roadmap that can be released one by one; record id is that of the first test of each. */
export function givenRoles(file: RecordFile): GivenRole[] {
  const { roadmap } = file
  return (roadmap?.roles ?? []).flatMap((role) => {
    const hand = roadmap && assignmentOf(roadmap, role.id)
    const [first] = roadmap ? recordsOf(roadmap, role.id) : []
    return hand && first && isGiven(hand) ? [{ file, role, hand, s: first.s }] : []
  })
}

/** Releases a role by the record id of one of its tests; `undefined` where it is not one that has an account of its own. */
export async function givenRoleOf({ work }: UpdateContext, s: string): Promise<GivenRole | undefined> {
  const parent = (await work.get(recordFiles, s))?.parent
  const file = parent && (await work.get(recordFiles, parent.s))
  const given = file && givenRoles(file).find(({ role }) => role.id === parent.role)
  return given && { ...given, s }
}

/** Whether a roadmap belongs to nobody as a whole, since its roles were invited one by one. */
export const isOfRoles = async (ctx: UpdateContext, { token, roadmap }: RecordFile): Promise<boolean> =>
  roadmap !== undefined && isParted(await assigneeOf(ctx, token))

/** Asks which role is to be released. */
export async function askWhichRole(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const roles = givenRoles(file).map(({ s, role }) => ({ s, title: role.title }))
  if (roles.length === 0) return void (await ctx.send({ text: ctx.t('release-nobody') }))
  await ctx.send(releaseRoleView(ctx.t, { title: file.test.title, roles }))
}

/** Asks for whom a role is to be released: only for the same person, since its profile stands at the service. */
export async function askAboutRole(ctx: UpdateContext, given: GivenRole): Promise<void> {
  await ctx.send(releaseView(ctx.t, { s: given.s, title: titleOf(given), canBeOther: false }))
}

const titleOf = ({ file, role }: GivenRole): string => `${file.test.title} · ${roleLabel(role)}`

/** Frees one role for the same person in another account, and makes the invitation that leads there. */
export async function releaseRole(
  ctx: UpdateContext,
  given: GivenRole,
  who: 'same' | 'other',
): Promise<void> {
  const title = titleOf(given)
  if (who === 'other') return void (await ctx.send({ text: ctx.t('release-refused', { title }) }))
  await free(ctx, given, title)
  const { code } = await inviteToRole(ctx, given)
  await noteAct(ctx, 'release-same', given.file.token)
  notifyDone(ctx, given.s, { word: 'release-role-done', title, code })
}

/** The answers stay as they are, for whoever knows the mobile in the profile; the others go on meanwhile. */
async function free(ctx: UpdateContext, { file, role, hand }: GivenRole, title: string): Promise<void> {
  const { assignee } = hand
  const { who, chatId } = isIn(assignee, 'taken', 'over') ? assignee : {}
  const ofRole = file.roadmap && who !== undefined ? recordsOf(file.roadmap, role.id) : []
  const records = who === undefined ? [] : await releaseRecords(ctx, ofRole, who)
  hand.assignee = released(assignee) ?? assignee
  if (who === undefined) return
  if (chatId !== undefined)
    postEvent(ctx.work, { who, chatId }, file.s, { kind: 'released', title, typed: [], records })
  await leave(ctx, file, who)
}

/** The attempts of this account at these tests become nobody's; returns the record id of the tests that it had. */
export async function releaseRecords(
  ctx: UpdateContext,
  records: readonly RoadmapRecord[],
  who: string,
): Promise<string[]> {
  const had: string[] = []
  for (const { s, token } of records) {
    const record = await ctx.work.get(recordFiles, s)
    if (!record || (await ownerOf(ctx, record)) !== who) continue
    had.push(s)
    await releaseAttempt(ctx, s, who)
    // Begun by a link of its own it goes with the roadmap from here on.
    if (accountOf(await assigneeOf(ctx, token)) === who) forgetAssignee(ctx, token)
    // What is under way for the account before is not kept.
    await ctx.work.touch(recordFiles, s)
  }
  return had
}

/** The invitation that leads to the released role; the one before it leads nowhere any more. */
async function inviteToRole(ctx: UpdateContext, { file, role, hand }: GivenRole): Promise<MadeInvitation> {
  const { work, deps, now, account } = ctx
  const older = await work.get(invitations, codeKey(deps.vault, hand.code))
  if (isMade(older) && older.over === undefined) Object.assign(older, { over: 'used', overAt: now })
  hand.code = newCode()
  await noteAct(ctx, 'invite', file.token)
  return invite(
    { work, vault: deps.vault, now },
    {
      kind: 'roadmap',
      token: file.token,
      title: file.test.title,
      by: account.chatId,
      role: { s: file.s, id: role.id, title: role.title },
    },
    hand.code,
  )
}
