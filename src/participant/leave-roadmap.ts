import { acceptedAssignments, membersHere } from '../dialog/access.ts'
import { onBehalfOf } from '../dialog/call.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { isIn, isResultOwed, type RecordFile } from '../domain/record/record.ts'
import { everyRecord, type RoadmapPart, type RoleAssignment } from '../domain/roadmap.ts'
import { resultJob } from '../jobs/deliver-result.ts'
import { generationJob } from '../jobs/generation.ts'
import { watchRecord } from '../jobs/watch-jobs.ts'
import { attemptKey } from '../storage/documents/attempts.ts'
import { invitations, isMade } from '../storage/documents/invitations.ts'
import { codeKey } from '../storage/documents/keys.ts'
import { owedResults, recordFiles } from '../storage/documents/kinds.ts'
import { notifyOthers } from './board-news.ts'

/** The roles of somebody else's roadmap go back to the one who began it. */
export async function giveBack(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { roadmap } = file
  const own = acceptedAssignments(ctx, file)
  if (!roadmap || own.length === 0) return
  await endAssignments(ctx, own)
  roadmap.hands = roadmap.hands.filter((hand) => !own.includes(hand))
  await leave(ctx, file)
}

/** The participant's invitations to these roles lead nowhere any more; an organizer's stay for whoever asks about them. */
export async function endAssignments(
  { work, deps }: UpdateContext,
  hands: readonly RoleAssignment[],
): Promise<void> {
  for (const { code } of hands) {
    const key = codeKey(deps.vault, code)
    const kept = await work.get(invitations, key)
    if (kept && !isMade(kept)) work.remove(invitations, key)
  }
}

/** The others of a roadmap go on without an account, also with what was done on its behalf. */
export async function leave(ctx: UpdateContext, file: RecordFile, who = ctx.who): Promise<void> {
  const { work } = ctx
  const { s, roadmap, state } = file
  if (!roadmap) return
  delete roadmap.lastRoles?.[who]
  await notifyOthers(ctx, file)
  const [member] = await membersHere(ctx, file)
  if (!member) return leaveEmpty(ctx, file, roadmap)
  const job = { s, onBehalf: await onBehalfOf(ctx, member) }
  if (state.stage === 'generating') generationJob.post(work, s, { ...job, phase: 'start' }, { replace: true })
  if (!isResultOwed(file)) return
  resultJob.post(work, s, job, { replace: true })
  // Its term begins anew, and so does the watch over it.
  await work.touch(owedResults, s)
  watchRecord(ctx, s)
}

/** Nobody takes part any more: nothing of it stays, unless somebody may still accept a role, or take it over. */
async function leaveEmpty(ctx: UpdateContext, file: RecordFile, roadmap: RoadmapPart): Promise<void> {
  const { work } = ctx
  if (roadmap.hands.some(({ assignee }) => assignee.is === 'released')) return
  if (roadmap.hands.length > 0 && isIn(file, 'board', 'failed')) return
  await endAssignments(ctx, roadmap.hands)
  work.remove(owedResults, file.s)
  for (const { s } of everyRecord(roadmap)) {
    work.putBytes(attemptKey(s), null)
    work.remove(recordFiles, s)
  }
  work.remove(recordFiles, file.s)
}
