import { readAttempt } from '../dialog/attempt.ts'
import { notifyOrganizers } from '../dialog/notify.ts'
import type { Turn } from '../dialog/turn.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { validityOf } from '../domain/validity.ts'
import { validityText } from '../views/organizer-validity.ts'

/** Tells the organizers that the service has accepted somebody's answers, with how they were given, never which. */
export async function notifyFinished(turn: Turn, file: RecordFile): Promise<void> {
  const { config, vault } = turn.deps
  if (config.organizers.length === 0) return
  const attempt = await readAttempt(turn, file.s)
  const validity = attempt && validityOf(attempt, vault.attemptCipher.decryptAnswers(attempt))
  const { title, minutes } = file.test
  await notifyOrganizers(turn, file, 'notice-finished', (t) => ({
    title,
    validity: validity ? validityText(t, validity, minutes) : '',
  }))
}
