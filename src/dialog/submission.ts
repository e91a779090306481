import type { RecordFile } from '../domain/record/record.ts'
import { submitJob } from '../jobs/submit-answers.ts'
import { onBehalf } from './call.ts'
import type { UpdateContext } from './update-context.ts'

/** Hands complete answers to the job that brings them to the service. */
export async function postSubmission(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { s } = file
  submitJob.post(ctx.work, s, { s, onBehalf: await onBehalf(ctx) }, { replace: true })
}
