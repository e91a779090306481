import { notifyOrganizers } from '../dialog/notify.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import type { RecordFile } from '../domain/record/record.ts'
import type { Failure } from '../jobs/call.ts'
import type { Translate } from '../texts/texts.ts'

/** Tells the organizers which question cannot be shown, and why, so that the whole test is not asked. */
export async function notifyUnshown(
  ctx: UpdateContext,
  file: RecordFile,
  { unshown }: Failure,
): Promise<void> {
  const { title } = file.test
  const { why = 'unreadable', question } = unshown ?? {}
  const reasonIn = (t: Translate) => t.plain(`unshown-why.${why}`)
  if (question === undefined)
    return notifyOrganizers(ctx, file, 'notice-unreadable', (t) => ({ title, reason: reasonIn(t) }))
  await notifyOrganizers(ctx, file, 'notice-unreadable-question', (t) => ({
    title,
    question,
    reason: reasonIn(t),
  }))
}
