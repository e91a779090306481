import type { UpdateContext } from '../dialog/update-context.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { announce } from '../jobs/announce.ts'
import { logEnrolment } from '../jobs/enrolment.ts'
import { watchRecord } from '../jobs/watch-jobs.ts'

/** Somebody has begun it: organizers' software hears of it, it counts on their board, and is watched from now on. */
export function noteBegun(ctx: UpdateContext, file: RecordFile): void {
  const { deps, work, now } = ctx
  announce(deps, work, file, 'begun')
  logEnrolment({ ...deps, now }, work, file, true)
  watchRecord(ctx, file.s)
}
