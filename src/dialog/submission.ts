import type { RecordFile } from '../domain/record/record.ts'
import { submitJob } from '../jobs/submit-answers.ts'
import { onBehalf } from './call.ts'
import type { Turn } from './turn.ts'

/** Hands complete answers to the job that brings them to the service. */
export async function postSubmission(turn: Turn, file: RecordFile): Promise<void> {
  const { s } = file
  submitJob.post(turn.work, s, { s, onBehalf: await onBehalf(turn) }, { replace: true })
}
