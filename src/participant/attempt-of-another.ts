import { notifyOrganizers, sendText } from '../dialog/notify.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { ownerOf } from '../storage/documents/assigned.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import { type DocumentKind, readDocument } from '../storage/documents.ts'

/**
 * The attempt at a record is another account's. Where it was released a moment ago, the word about that is on its way to
 * this chat; where nobody has released it, nothing is begun in its place, and the organizers hear of it.
 */
export async function attemptOfAnother(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { store, vault } = ctx.deps
  const asKept = { get: <T>(kind: DocumentKind<T>, id: string) => readDocument(store, vault, kind, id) }
  const stands = await asKept.get(recordFiles, file.s)
  if (!stands || (await ownerOf({ work: asKept, vault }, stands)) !== ctx.who) return
  await sendText(ctx, 'trouble')
  await notifyOrganizers(ctx, file, 'notice-attempt', { title: file.test.title })
}
