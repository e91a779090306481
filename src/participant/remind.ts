import { whoseHere } from '../dialog/access.ts'
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
import { ownerOf } from '../storage/documents/attempts.ts'
import { testsLeft } from '../views/board.ts'
import { type Recalled, reminderView } from '../views/reminder.ts'
import type { NamedTest } from '../views/tests.ts'
import { groupsOf } from './board.ts'

/** Notes that the participant is active, and schedules the reminder of unfinished tests. */
export async function noteActivity(ctx: UpdateContext): Promise<void> {
  const { account, now } = ctx
  const { reminderHours: hours } = ctx.deps.config
  if (account.items.length === 0) return
  const file = await focusedFile(ctx)
  // In a questionnaire only an answer counts.
  if (file && !isIn(file, 'questions')) await noteGoingOn(ctx, file)
  // The last activity is stored no more exactly than this; the job checks the answers themselves.
  if (now - (account.activeAt ?? 0) < shortly(hours, HOUR_MS)) return
  account.activeAt = now
  await remindLater(ctx)
}

/** Schedules the reminder of unfinished tests, in case the account does nothing from now on. */
export async function remindLater(ctx: UpdateContext): Promise<void> {
  const { account, now, work, who } = ctx
  const due = reminderDue(ctx.deps.config.reminderHours, { lastActivityAt: now, sent: 0 })
  if (account.noReminders || due === undefined) return
  const job = { onBehalf: await onBehalf(ctx), since: now, sent: 0 }
  watchJobs.reminder.post(work, who, job, { dueAt: due, replace: true })
}

/** A tenth of the shortest delay of a reminder, and at most `mostMs`. */
const shortly = (hours: readonly number[], mostMs: number): number =>
  Math.min(mostMs, (Math.min(...hours) * HOUR_MS) / 10)

/** Reminds of every unfinished test, this one first, with the ways back and the way out of reminders. */
export async function remind(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { account, now } = ctx
  const { reminderHours: hours } = ctx.deps.config
  // Each of several reminders at once names all tests, so one is enough.
  const isRepeated = now - (account.remindedAt ?? 0) < shortly(hours, MINUTE_MS)
  if (account.noReminders || isRepeated) return
  const unfinished: RecordFile[] = []
  for (const each of await openFiles(ctx)) {
    // Answers that have expired cannot be continued.
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
 * The tests of a package that are left, each with its person, and with the package if there are several: half
 * done tests before those that are not begun.
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
  const owner = await ownerOf(ctx.work, file)
  return ordered.map(({ s, title: alone, role, standing }) => {
    const whose = whoseHere(ctx, roadmap, owner, role.id, isOneOfSeveral) ?? []
    const title = [alone, ...whose, ...(isOneOfSeveral ? [test.title] : [])].join(' · ')
    return { s, title, roadmap: test.title, standing }
  })
}
