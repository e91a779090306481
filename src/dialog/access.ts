import { accountOf } from '../domain/assignee.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { nameAmong, roleLabel, titleFor } from '../domain/record/whose.ts'
import {
  type Member,
  mayAnswer,
  membersOf,
  ownRole,
  type RoadmapPart,
  type RoleAssignment,
  roleOf,
  rolesHeldBy,
} from '../domain/roadmap.ts'
import { isApart } from '../jobs/turn.ts'
import { ownerOf as ownerOfFile } from '../storage/documents/attempts.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import type { UpdateContext } from './update-context.ts'

/** The account whose it is; nobody before it is begun, while it is released, and when it was forgotten. */
export const ownerOf = ({ work }: UpdateContext, file: RecordFile): Promise<string | undefined> =>
  ownerOfFile(work, file)

export const isMine = async (ctx: UpdateContext, file: RecordFile): Promise<boolean> =>
  (await ownerOf(ctx, file)) === ctx.who

/** The accounts that take part, the one whose the whole is first. */
export const membersHere = async (ctx: UpdateContext, file: RecordFile): Promise<Member[]> =>
  membersOf(file.roadmap, { who: await ownerOf(ctx, file), chatId: file.chatId })

/** What it is called in the chat of this account. */
export async function titleHere(ctx: UpdateContext, file: RecordFile): Promise<string> {
  const { parent, test } = file
  const whole = parent && (await ctx.work.get(recordFiles, parent.s))
  const owner = await ownerOf(ctx, whole ?? file)
  // Of the details of a role the package is what they are for.
  if (whole && isIn(file, 'profile', 'given')) return whole.test.title
  const whose =
    whole?.roadmap &&
    parent &&
    whoseHere(ctx, whole.roadmap, owner, parent.role, (await underWay(ctx, 2)).length > 1)
  return whose === undefined ? titleFor(file, ctx.who, owner) : [test.title, ...whose].join(' · ')
}

/**
 * The newest records and packages in which this account answers tests, so many at most: where they are several, each is told with
 * whose it is.
 */
export async function underWay(ctx: UpdateContext, most: number): Promise<RecordFile[]> {
  const files: RecordFile[] = []
  for (const s of ctx.account.items.toReversed()) {
    if (files.length === most) break
    const file = await ctx.work.get(recordFiles, s)
    if (file && isIn(file, 'questions', 'board', 'failed') && (await takesPart(ctx, file))) files.push(file)
  }
  return files
}

/**
 * Whose a test of a roadmap is, on this phone: nothing more where it is one person's alone, «شما» where others share it, and
 * where there are several packages always the name.
 */
export function whoseHere(
  ctx: UpdateContext,
  roadmap: RoadmapPart,
  owner: string | undefined,
  id: number,
  isOneOfSeveral: boolean,
) {
  const role = roleOf(roadmap, id)
  if (ownRole(roadmap, ctx.who, owner)?.id !== id) return role && [roleLabel(role)]
  if (role && isOneOfSeveral) return [nameAmong(role, roadmap.roles)]
  const isShared = rolesHeldBy(roadmap, ctx.who, owner).length > 1
  return isShared ? [ctx.t.plain('board-you')] : []
}

/** Whether this account may see it: its own, one that nobody has begun, a roadmap it was invited to. */
export const mayBeSeen = async (ctx: UpdateContext, file: RecordFile): Promise<boolean> =>
  !file.isBegun || (await takesPart(ctx, file)) || openedAssignment(ctx, file) !== undefined

/** Whether this account has begun it, or accepted a role of it. */
export const takesPart = async (ctx: UpdateContext, file: RecordFile): Promise<boolean> =>
  acceptedAssignments(ctx, file).length > 0 || (await isMine(ctx, file))

/** The roles of somebody else's roadmap that this account has accepted. */
export const acceptedAssignments = (ctx: UpdateContext, { roadmap }: RecordFile): RoleAssignment[] =>
  roadmap?.hands.filter(({ assignee }) => accountOf(assignee) === ctx.who) ?? []

/** The invitation to a role that this account has opened, while nobody has accepted it. */
export function openedAssignment(ctx: UpdateContext, { s, roadmap }: RecordFile): RoleAssignment | undefined {
  const code = ctx.account.invited?.[s]
  return roadmap?.hands.find((hand) => hand.assignee.is === 'invited' && hand.code === code)
}

/** Whether this account stands before an introduction: of the whole, or of the role that it was invited to. */
export const isIntroduced = (ctx: UpdateContext, file: RecordFile): boolean =>
  isIn(file, 'intro') ||
  (openedAssignment(ctx, file) !== undefined && acceptedAssignments(ctx, file).length === 0)

/** Whether this account may answer a record of a roadmap now. */
export async function mayAnswerNow(
  ctx: UpdateContext,
  file: RecordFile,
  parent: RecordFile,
): Promise<boolean> {
  const { roadmap } = parent
  if (!roadmap || !file.parent || !isIn(parent, 'board', 'failed')) return false
  // Somebody who takes no part otherwise has begun it by a link of its own.
  if (await isApart(ctx.work, file)) return isMine(ctx, file)
  return mayAnswer(roadmap, file.parent.role, ctx.who, await ownerOf(ctx, parent))
}
