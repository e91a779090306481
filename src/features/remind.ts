import { onBehalf } from '../chat/call.ts'
import { readSitting } from '../chat/sitting.ts'
import type { Turn } from '../chat/turn.ts'
import { HOUR_MS } from '../domain/durations.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { roleLabel, titleFor } from '../domain/record/whose.ts'
import { reminderDue } from '../domain/reminding.ts'
import { allFinished, type RoadmapPart } from '../domain/roadmap.ts'
import { reminderJob } from '../jobs/reminder.ts'
import { testsLeft } from '../views/board.ts'
import { type Recalled, reminderView } from '../views/reminder.ts'
import { groupsOf } from './board-tests.ts'

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
  if (turn.account.noReminders) return
  turn.work.note('reminded')
  const { roadmap } = file
  const isAtBoard = roadmap && isIn(file, 'board', 'failed')
  await turn.say(
    reminderView(turn.t, await (isAtBoard ? ofRoadmap(turn, file, roadmap) : ofRecord(turn, file))),
  )
}

async function ofRecord(turn: Turn, file: RecordFile): Promise<Recalled> {
  const { s } = file
  const sitting = isIn(file, 'questions') ? await readSitting(turn, s) : undefined
  const state = sitting ? { answered: sitting.answered, total: sitting.questions } : 'begun'
  return { s, title: titleFor(file, turn.who), state }
}

/** Of a package the next test and its person: one that is half done before one that is not begun. */
async function ofRoadmap(turn: Turn, file: RecordFile, roadmap: RoadmapPart): Promise<Recalled> {
  const left = testsLeft(await groupsOf(turn, file, roadmap), roadmap.lastRoles?.[turn.who])
  const next = left.find(({ state }) => state.kind === 'under-way') ?? left[0]
  const { s, test } = file
  if (!next) return { s, title: test.title, state: allFinished(roadmap) ? 'report' : 'begun' }
  const title = `${next.title} · ${roleLabel(next.role)}`
  const { state } = next
  if (state.kind !== 'under-way') return { s: next.s, title, roadmap: test.title, state: 'next' }
  return { s: next.s, title, state: { answered: state.answered, total: state.total } }
}
