import { membersHere, takesPart } from '../dialog/access.ts'
import { onBehalf, onBehalfOf } from '../dialog/call.ts'
import { assign } from '../dialog/files.ts'
import { notifyOrganizers } from '../dialog/notify-organizers.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { answered } from '../domain/assignee.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { generationAsked, move } from '../domain/record/transitions.ts'
import { allFinished } from '../domain/roadmap.ts'
import { generationJob } from '../jobs/analysis.ts'
import { announce } from '../jobs/announce.ts'
import { timerIds, watchJobs } from '../jobs/watch-jobs.ts'
import { notifyOthers, showBoard } from './board.ts'

/** Delay of the automatic start of the analysis: meanwhile it can be started at once, or switched off. */
const AUTO_MS = 60_000

/** Starts the analysis, also again; `false` if one is running, or a test is not finished. */
export async function startAnalysis(ctx: UpdateContext, file: RecordFile): Promise<boolean> {
  const { roadmap } = file
  if (!roadmap || !allFinished(roadmap) || !move(file, generationAsked)) return false
  delete roadmap.autoAt
  const job = { s: file.s, onBehalf: await onBehalf(ctx), phase: 'start' } as const
  generationJob.post(ctx.work, file.s, job, { replace: true })
  await notifyOthers(ctx, file)
  await showBoard(ctx, file)
  return true
}

/** All tests are finished: schedules the automatic start of the analysis, if it is switched on. */
export async function awaitAnalysis(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { roadmap, s } = file
  delete roadmap?.autoAt
  if (!roadmap || roadmap.isManual || !isIn(file, 'board') || !allFinished(roadmap)) return
  roadmap.autoAt = ctx.now + AUTO_MS
  // An account that finished the last test by its own link, or leaves, takes no part and gets no events.
  const [member] = (await takesPart(ctx, file)) ? [] : await membersHere(ctx, file)
  const by = await (member ? onBehalfOf(ctx, member) : onBehalf(ctx))
  const job = { s, onBehalf: by, event: { kind: 'report-due' } } as const
  watchJobs.timer.post(ctx.work, timerIds.report(s), job, { dueAt: roadmap.autoAt, replace: true })
}

/** The report exists: the organizers are notified. */
export async function analysed(ctx: UpdateContext, file: RecordFile): Promise<void> {
  file.finishedAt = ctx.now
  await assign(ctx, file.token, answered)
  await announce(ctx.deps, ctx.work, file, 'analysed', ctx.who)
  await notifyOrganizers(ctx, file, 'notice-analysis-ready', { title: file.test.title })
}

/** Starts the analysis, unless the automatic start was dropped. */
export async function analysisDue(ctx: UpdateContext, file: RecordFile): Promise<void> {
  if (isIn(file, 'board') && file.roadmap?.autoAt !== undefined) await startAnalysis(ctx, file)
}
