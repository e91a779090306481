import { readAttempt } from '../dialog/attempt.ts'
import { notifyOrganizers } from '../dialog/notify.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { validityOf } from '../domain/validity.ts'
import { validityText } from '../views/organizer-validity.ts'

/** Tells the organizers that the service has accepted somebody's answers, with how they were given, never which. */
export async function notifyFinished(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { config, vault } = ctx.deps
  if (config.organizers.length === 0) return
  const attempt = await readAttempt(ctx, file.s)
  const validity = attempt && validityOf(attempt, vault.attemptCipher.decryptAnswers(attempt))
  const { title, minutes } = file.test
  await notifyOrganizers(ctx, file, 'notice-finished', (t) => ({
    title,
    validity: validity ? validityText(t, validity, minutes) : '',
  }))
}
