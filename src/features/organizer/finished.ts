import { notifyOrganizers } from '../../chat/say.ts'
import { readSitting } from '../../chat/sitting.ts'
import type { Turn } from '../../chat/turn.ts'
import type { RecordFile } from '../../domain/record/record.ts'
import { validityOf } from '../../domain/validity.ts'
import { validityText } from '../../views/organizer-validity.ts'

/** Tells the organizers that the service has accepted somebody's answers, with how they were given, never which. */
export async function tellFinished(turn: Turn, file: RecordFile): Promise<void> {
  const { texts, config, vault } = turn.deps
  if (config.organizers.length === 0) return
  const sitting = await readSitting(turn, file.s)
  const t = texts.for(config.locale)
  const validity =
    sitting &&
    validityText(t, validityOf(sitting, vault.sittingCipher.decryptAnswers(sitting)), file.test.minutes)
  await notifyOrganizers(turn, file, 'notice-finished', { title: file.test.title, validity: validity ?? '' })
}
