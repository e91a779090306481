import { onBehalf } from '../chat/call.ts'
import { readSitting } from '../chat/sitting.ts'
import type { Turn } from '../chat/turn.ts'
import { HOUR_MS } from '../domain/durations.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { titleOf } from '../domain/record/whose.ts'
import { reminderDue } from '../domain/reminding.ts'
import { reminderJob } from '../jobs/reminder.ts'
import { reminderView } from '../views/reminder.ts'

/** How exact the time of the last activity is kept; the job looks at the answers themselves. */
const notedEveryMs = (hours: readonly number[]) => Math.min(HOUR_MS, (Math.min(...hours) * HOUR_MS) / 10)

/** Notes that the participant is there, and has what stays unfinished recalled later. */
export async function noteActivity(turn: Turn): Promise<void> {
  const { account, now, work, who, deps } = turn
  const due = reminderDue(deps.config.reminderHours, { lastActivityAt: now, sent: 0 })
  if (account.noReminders || account.items.length === 0 || due === undefined) return
  if (now - (account.activeAt ?? 0) < notedEveryMs(deps.config.reminderHours)) return
  account.activeAt = now
  const job = { onBehalf: await onBehalf(turn), since: now, sent: 0 }
  reminderJob.post(work, who, job, { dueAt: due, replace: true })
}

/** Recalls an unfinished test with the way back to it, and the way out of reminders. */
export async function remind(turn: Turn, file: RecordFile): Promise<void> {
  const { s } = file
  if (turn.account.noReminders) return
  turn.work.note('reminded')
  const sitting = isIn(file, 'questions') ? await readSitting(turn, s) : undefined
  const progress = sitting && { answered: sitting.answered, total: sitting.questions }
  await turn.say(reminderView(turn.t, { s, title: titleOf(file), progress }))
}
