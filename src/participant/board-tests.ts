import { ownerOf } from '../dialog/access.ts'
import { readStanding } from '../dialog/attempt.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { accountOf } from '../domain/assignee.ts'
import type { RecordFile } from '../domain/record/record.ts'
import type { Standing } from '../domain/record/standing.ts'
import {
  assignmentOf,
  holderOf,
  type RoadmapPart,
  type RoadmapRecord,
  recordsOf,
  rolesHeldBy,
} from '../domain/roadmap.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import type { BoardGroup, BoardTest } from '../views/board.ts'

/** The roles that this account answers; the one who began also sees how far the others are. */
export async function groupsOf(
  ctx: UpdateContext,
  file: RecordFile,
  roadmap: RoadmapPart,
): Promise<BoardGroup[]> {
  const owner = await ownerOf(ctx, file)
  const isOwner = owner === ctx.who
  const held = rolesHeldBy(roadmap, ctx.who, owner)
  const groups: BoardGroup[] = []
  for (const role of roadmap.roles) {
    const hand = assignmentOf(roadmap, role.id)
    const isHeld = held.some(({ id }) => id === role.id)
    if (!isHeld && !isOwner) continue
    const tests = await testsOf(ctx, file, role.id)
    groups.push({
      role,
      tests,
      isHeld,
      hand: hand && { isAccepted: accountOf(hand.assignee) !== undefined },
      canTakeBack: isOwner && hand !== undefined && isUntouched(tests, hand.finishedBefore),
      canHand: isOwner && !hand && roadmap.roles.length > 1 && canAssignRole(tests),
    })
  }
  return groups
}

/** Whether something of a role is left to do and nothing of it is half done. */
export const canAssignRole = (tests: readonly BoardTest[]): boolean =>
  tests.some(({ standing }) => standing.at === 'new') && isNothingHalfDone(tests)

/** Whether nothing of a role was begun since it was handed over. */
export const isUntouched = (tests: readonly BoardTest[], finishedBefore: number): boolean =>
  isNothingHalfDone(tests) && tests.filter(({ standing }) => standing.at === 'done').length === finishedBefore

const isNothingHalfDone = (tests: readonly BoardTest[]): boolean =>
  tests.every(({ standing: { at } }) => at === 'new' || at === 'done')

/** The tests of one role, as the board shows them. */
export async function testsOf(ctx: UpdateContext, file: RecordFile, role: number): Promise<BoardTest[]> {
  const { roadmap } = file
  if (!roadmap) return []
  const holder = holderOf(roadmap, role, await ownerOf(ctx, file))
  const tests: BoardTest[] = []
  for (const record of recordsOf(roadmap, role)) {
    const { s, title } = record
    tests.push({ s, title, standing: await standingHere(ctx, record, holder) })
  }
  return tests
}

/** Where a test of a role stands for who answers it; what is not under way has not been begun. */
async function standingHere(
  ctx: UpdateContext,
  { s, isFinished }: RoadmapRecord,
  holder: string | undefined,
): Promise<Standing> {
  const file = await ctx.work.get(recordFiles, s)
  if (isFinished || file?.state.stage === 'done') return { at: 'done' }
  const owner = file && (await ownerOf(ctx, file))
  if (owner !== undefined && owner !== holder) return { at: 'apart' }
  const standing = file && (await readStanding(ctx, file))
  return standing && UNDER_WAY.includes(standing.at) ? standing : { at: 'new' }
}

const UNDER_WAY: readonly Standing['at'][] = ['questions', 'submitting', 'refused']
