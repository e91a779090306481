import { notifyOrganizers } from '../chat/say.ts'
import type { Turn } from '../chat/turn.ts'
import type { RecordFile } from '../domain/record/record.ts'
import type { Failure } from '../jobs/calls.ts'

/** Tells the organizers which question cannot be shown, and why, so that the whole test is not asked. */
export async function tellUnshown(turn: Turn, file: RecordFile, { unshown }: Failure): Promise<void> {
  const { deps } = turn
  const { title } = file.test
  const t = deps.texts.for(deps.config.locale)
  const { why = 'unreadable', question } = unshown ?? {}
  const reason = t.plain(`unshown-why.${why}`)
  if (question === undefined) await notifyOrganizers(turn, file, 'notice-unreadable', { title, reason })
  else await notifyOrganizers(turn, file, 'notice-unreadable-question', { title, question, reason })
}
