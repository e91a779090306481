import { accountOf } from '../domain/assignee.ts'
import { nameAmong, roleLabel, titleFor } from '../domain/record/names.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
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
import { isBegunByOwnLink } from '../jobs/turn.ts'
import { ownerOf } from '../storage/documents/attempts.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import type { UpdateContext } from './update-context.ts'

export const isMine = async (ctx: UpdateContext, file: RecordFile): Promise<boolean> =>
  (await ownerOf(ctx.work, file)) === ctx.who

/** The accounts that take part; the owner of the whole record or roadmap comes first. */
export const membersHere = async (ctx: UpdateContext, file: RecordFile): Promise<Member[]> =>
  membersOf(file.roadmap, { who: await ownerOf(ctx.work, file), chatId: file.chatId })

/** The title of a record in the chat of this account. */
export async function titleHere(ctx: UpdateContext, file: RecordFile): Promise<string> {
  const { parent, test } = file
  const whole = parent && (await ctx.work.get(recordFiles, parent.s))
  const owner = await ownerOf(ctx.work, whole ?? file)
  // The details of a role are given for the package, so they carry its title.
  if (whole && isIn(file, 'profile', 'given')) return whole.test.title
  const whose =
    whole?.roadmap &&
    parent &&
    whoseHere(ctx, whole.roadmap, owner, parent.role, (await underWay(ctx, 2)).length > 1)
  return whose === undefined ? titleFor(file, ctx.who, owner) : [test.title, ...whose].join(' · ')
}

/**
 * The newest records and packages in which this account answers tests, at most `most`. If there are several,
 * each title says whose it is.
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
 * The person named in the title of a roadmap's test in this chat: none if the account answers for one person,
 * «شما» for its own test if it answers for several, and always the name if several packages are under way.
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

/** Whether this account may see a record: its own, one that is not begun, or a roadmap it was invited to. */
export const mayBeSeen = async (ctx: UpdateContext, file: RecordFile): Promise<boolean> =>
  !file.isBegun || (await takesPart(ctx, file)) || openedAssignment(ctx, file) !== undefined

/** Whether this account has begun a record, or accepted a role of it. */
export const takesPart = async (ctx: UpdateContext, file: RecordFile): Promise<boolean> =>
  acceptedAssignments(ctx, file).length > 0 || (await isMine(ctx, file))

/** The roles of another account's roadmap that this account has accepted. */
export const acceptedAssignments = (ctx: UpdateContext, { roadmap }: RecordFile): RoleAssignment[] =>
  roadmap?.hands.filter(({ assignee }) => accountOf(assignee) === ctx.who) ?? []

/** The role whose invitation this account has opened and no account has accepted yet. */
export function openedAssignment(ctx: UpdateContext, { s, roadmap }: RecordFile): RoleAssignment | undefined {
  const code = ctx.account.invited?.[s]
  return roadmap?.hands.find((hand) => hand.assignee.is === 'invited' && hand.code === code)
}

/** Whether this account sees an introduction next: of the whole, or of the role that it was invited to. */
export const awaitsBeginning = (ctx: UpdateContext, file: RecordFile): boolean =>
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
  // An account that takes no other part has begun this test by the test's own link.
  if (await isBegunByOwnLink(ctx.work, file)) return isMine(ctx, file)
  return mayAnswer(roadmap, file.parent.role, ctx.who, await ownerOf(ctx.work, parent))
}
