import { ownerOf, whoseHere } from '../dialog/access.ts'
import { readAttempt, testHere } from '../dialog/attempt.ts'
import { onBehalf } from '../dialog/call.ts'
import { focusedFile, noteGoingOn, openFiles } from '../dialog/files.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { HOUR_MS, MINUTE_MS } from '../domain/durations.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { standingOf } from '../domain/record/standing.ts'
import { allFinished } from '../domain/roadmap.ts'
import { reminderDue } from '../domain/watch.ts'
import { isTurnOf } from '../jobs/turn.ts'
import { watchJobs } from '../jobs/watch-jobs.ts'
import { testsLeft } from '../views/board.ts'
import { type Recalled, reminderView } from '../views/reminder.ts'
import type { NamedTest } from '../views/tests.ts'
import { groupsOf } from './board.ts'

/** Notes that the participant is there, and has what stays unfinished recalled later. */
export async function noteActivity(ctx: UpdateContext): Promise<void> {
  const { account, now } = ctx
  const { reminderHours: hours } = ctx.deps.config
  if (account.items.length === 0) return
  const file = await focusedFile(ctx)
  // Of questions only an answer counts.
  if (file && !isIn(file, 'questions')) await noteGoingOn(ctx, file)
  // How exact the time of the last activity is kept; the job looks at the answers themselves.
  if (now - (account.activeAt ?? 0) < shortly(hours, HOUR_MS)) return
  account.activeAt = now
  await recallLater(ctx)
}

/** Has what stays unfinished recalled when nothing is done from now on. */
export async function recallLater(ctx: UpdateContext): Promise<void> {
  const { account, now, work, who } = ctx
  const due = reminderDue(ctx.deps.config.reminderHours, { lastActivityAt: now, sent: 0 })
  if (account.noReminders || due === undefined) return
  const job = { onBehalf: await onBehalf(ctx), since: now, sent: 0 }
  watchJobs.reminder.post(work, who, job, { dueAt: due, replace: true })
}

/** A tenth of the shortest time after which something is recalled, and at most so long. */
const shortly = (hours: readonly number[], mostMs: number): number =>
  Math.min(mostMs, (Math.min(...hours) * HOUR_MS) / 10)

/** Recalls every unfinished test, the one it is about first, with the ways back and the way out of reminders. */
export async function remind(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { account, now } = ctx
  const { reminderHours: hours } = ctx.deps.config
  // Of several that come at once, each of which names them all, one is enough.
  const isRepeated = now - (account.remindedAt ?? 0) < shortly(hours, MINUTE_MS)
  if (account.noReminders || isRepeated) return
  const unfinished: RecordFile[] = []
  for (const each of await openFiles(ctx)) {
    // Answers whose term is over are nowhere to go on from.
    const isKept = !isIn(each, 'questions') || (await readAttempt(ctx, each.s)) !== undefined
    if (isKept && (await isTurnOf(ctx.work, each, ctx.who))) unfinished.push(each)
  }
  const isOwn = ({ s }: RecordFile) => s === file.s || s === file.parent?.s
  const ordered = [...unfinished.filter(isOwn), ...unfinished.filter((each) => !isOwn(each))]
  const recalled: Recalled[] = []
  for (const each of ordered) recalled.push(...(await recalledOf(ctx, each, ordered.length > 1)))
  if (recalled.length === 0) return
  account.remindedAt = now
  ctx.work.note('reminded')
  await ctx.send(reminderView(ctx.t, recalled))
}

/**
 * Of a package the tests that are left, each with its person, and with the package where it is one of several: one that is
 * half done before one that is not begun.
 */
async function recalledOf(
  ctx: UpdateContext,
  file: RecordFile,
  isOneOfSeveral: boolean,
): Promise<Recalled[]> {
  const { s, roadmap, test } = file
  if (!roadmap || !isIn(file, 'board', 'failed')) return [await testHere(ctx, file)]
  const left = testsLeft(await groupsOf(ctx, file, roadmap), roadmap.lastRoles?.[ctx.who])
  if (left.length === 0)
    return [{ s, title: test.title, standing: allFinished(roadmap) ? { at: 'report' } : standingOf(file) }]
  const isUnderWay = ({ standing }: NamedTest) => standing.at === 'questions'
  const ordered = [...left.filter(isUnderWay), ...left.filter((each) => !isUnderWay(each))]
  const owner = await ownerOf(ctx, file)
  return ordered.map(({ s, title: alone, role, standing }) => {
    const whose = whoseHere(ctx, roadmap, owner, role.id, isOneOfSeveral) ?? []
    const title = [alone, ...whose, ...(isOneOfSeveral ? [test.title] : [])].join(' · ')
    return { s, title, roadmap: test.title, standing }
  })
}
