import type { Turn } from '../chat/turn.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { STUCK_MS } from '../domain/record/standing.ts'
import { announce } from '../jobs/announce.ts'
import { enrol } from '../jobs/roll.ts'
import { stuckJob } from '../jobs/stuck.ts'

/** Somebody has begun it: organizers' software hears of it, it counts on their board, and is watched from now on. */
export function noteBegun({ deps, work, now }: Turn, file: RecordFile): void {
  announce(deps, work, file, 'begun')
  enrol({ ...deps, now }, work, file, true)
  stuckJob.post(work, file.s, { s: file.s, since: now }, { dueAt: now + STUCK_MS, replace: true })
}
