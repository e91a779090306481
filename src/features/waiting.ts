import { onBehalf } from '../chat/call.ts'
import type { Turn } from '../chat/turn.ts'
import { DAY_MS } from '../domain/durations.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { FIRST_WAIT_MS, openingJob } from '../jobs/opening.ts'
import { waitingView } from '../views/introduction.ts'

/** Says that the organizer has to act first; where that was said last, only the time of this look is new. */
export async function showWaiting(turn: Turn, { s, test }: RecordFile): Promise<void> {
  const { t, account, now, deps } = turn
  const { organizerName, organizerContact } = deps.config
  const waiting = { s, title: test.title, organizerName, organizerContact }
  const older = account.screens[s]
  if (older !== undefined && older === account.latest && older === account.asked) {
    const shown = await turn.show(older, waitingView(t, { ...waiting, checkedAt: now }))
    if (shown !== undefined) account.asked = shown
  } else await turn.ask(waitingView(t, waiting))
  if (account.asked !== undefined) account.screens[s] = account.asked
}

/** Has the service looked at slowly until the organizer opens what waits. */
export async function watchOpening(turn: Turn, { s }: RecordFile): Promise<void> {
  const until = turn.now + turn.deps.config.retentionDays * DAY_MS
  const job = { s, onBehalf: await onBehalf(turn), waitMs: FIRST_WAIT_MS, until }
  openingJob.post(turn.work, `${s}:${turn.who}`, job, { dueAt: turn.now + FIRST_WAIT_MS, replace: true })
}
