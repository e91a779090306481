import { notifyOrganizers, tell } from '../chat/say.ts'
import type { Turn } from '../chat/turn.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { recordFiles } from '../kept/documents.ts'
import { readDocument } from '../store/documents.ts'

/**
 * The attempt at a record is another account's. Where it was released a moment ago, the word about that is on its way to
 * this chat; where nobody has released it, nothing is begun in its place, and the organizers hear of it.
 */
export async function attemptOfAnother(turn: Turn, file: RecordFile): Promise<void> {
  const { store, vault } = turn.deps
  const stands = await readDocument(store, vault, recordFiles, file.s)
  if (stands?.owner !== turn.who) return
  await tell(turn, 'trouble')
  await notifyOrganizers(turn, file, 'notice-attempt', { title: file.test.title })
}
