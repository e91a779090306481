import { onBehalf } from '../dialog/call.ts'
import { notifyOrganizers } from '../dialog/notify-organizers.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { DAY_MS } from '../domain/durations.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { move, waitNoted } from '../domain/record/transitions.ts'
import { FIRST_WAIT_MS } from '../domain/watch.ts'
import { watchJobs } from '../jobs/watch-jobs.ts'
import { waitingView } from '../views/introduction.ts'

/** Says that the organizer has to act first; if that was the last message, only the check's time is new. */
export async function showWaiting(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { t, account, now } = ctx
  const { s, test } = file
  await watchOpening(ctx, file)
  const waiting = { s, title: test.title }
  const older = account.screens[s]
  if (older !== undefined && older === account.latest && older === account.asked) {
    const shown = await ctx.show(older, waitingView(t, { ...waiting, checkedAt: now }))
    if (shown !== undefined) account.asked = shown
  } else {
    await ctx.ask(waitingView(t, waiting))
    // A board must not stay there meanwhile.
    if (older !== undefined) ctx.takeAway(older)
  }
  if (account.asked !== undefined) account.screens[s] = account.asked
  endWait(ctx, file)
  account.awaits = [...(account.awaits ?? []), s]
}

/** Ends the wait for the organizer; returns whether the account still had to be notified. */
export function endWait({ account }: UpdateContext, { s }: RecordFile): boolean {
  const { awaits = [] } = account
  const left = awaits.filter((other) => other !== s)
  if (left.length > 0) account.awaits = left
  else delete account.awaits
  return left.length < awaits.length
}

/** Notifies the organizers once that a participant waits, and checks slowly until they open the record. */
export async function watchOpening(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { s, test } = file
  const externalId = file.externalId ?? ctx.account.externalIds?.[s]
  if (move(file, waitNoted, { since: ctx.now, externalId }))
    await notifyOrganizers(ctx, { ...file, externalId }, 'notice-waiting', { title: test.title })
  const until = ctx.now + ctx.deps.config.retentionDays * DAY_MS
  const job = { s, onBehalf: await onBehalf(ctx), waitMs: FIRST_WAIT_MS, until }
  const dueAt = ctx.now + FIRST_WAIT_MS
  watchJobs.opening.post(ctx.work, `${s}:${ctx.who}`, job, { dueAt, replace: true })
}
