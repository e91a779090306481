import type { Turn } from '../dialog/turn.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { announce } from '../jobs/announce.ts'
import { enrol } from '../jobs/roll.ts'
import { watchRecord } from '../jobs/watch-jobs.ts'

/** Somebody has begun it: organizers' software hears of it, it counts on their board, and is watched from now on. */
export function noteBegun(turn: Turn, file: RecordFile): void {
  const { deps, work, now } = turn
  announce(deps, work, file, 'begun')
  enrol({ ...deps, now }, work, file, true)
  watchRecord(turn, file.s)
}
