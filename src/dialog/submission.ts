import { submitActor } from '../background/actors.ts'
import type { SubmitJob } from '../background/submit-answers.ts'
import type { RecordFile } from '../domain/record-file.ts'
import { onBehalf } from './call.ts'
import { saveFile } from './files.ts'
import { showPlace } from './place.ts'
import { moveSitting, readSitting, seal, showOnScreen } from './show-question.ts'
import type { Turn } from './turn.ts'

/** Locks complete answers and hands them to the job that brings them to the service. */
export async function sendAnswers(
  turn: Turn,
  file: RecordFile,
  messageId: number | undefined,
): Promise<void> {
  const sitting = await readSitting(turn, file.s)
  if (!sitting || sitting.answered < sitting.questions) return showPlace(turn, file)
  if (sitting.state === 'paused') return showPlace(turn, file)
  await seal(turn, file.s, sitting)
  const locked = await moveSitting(turn, file.s, sitting, { kind: 'lock', revision: sitting.revision })
  if (locked.status === 'gone' || (locked.status === 'stale' && locked.state !== 'locked'))
    return showPlace(turn, file)
  file.stage = 'submitting'
  saveFile(turn, file)
  await postSubmission(turn, file)
  await showOnScreen(
    turn,
    file.s,
    { text: turn.t('submit-sending', { total: sitting.questions }) },
    messageId,
  )
}

/** Hands the answers to the job that brings them to the service. */
export async function postSubmission(turn: Turn, file: RecordFile): Promise<void> {
  const unclear = file.isUnclear === true
  const job: SubmitJob = { s: file.s, onBehalf: await onBehalf(turn), unclear }
  turn.work.post(submitActor(file.s), job, { replace: true })
}
