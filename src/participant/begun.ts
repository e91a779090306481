import type { Turn } from '../dialog/turn.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { announce } from '../jobs/announce.ts'
import { logEnrolment } from '../jobs/enrolment.ts'
import { watchRecord } from '../jobs/watch-jobs.ts'

/** Somebody has begun it: organizers' software hears of it, it counts on their board, and is watched from now on. */
export function noteBegun(turn: Turn, file: RecordFile): void {
  const { deps, work, now } = turn
  announce(deps, work, file, 'begun')
  logEnrolment({ ...deps, now }, work, file, true)
  watchRecord(turn, file.s)
}
