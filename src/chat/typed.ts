import type { RecordFile } from '../domain/record/record.ts'
import type { View } from '../views/view.ts'
import { tell } from './say.ts'
import type { Turn } from './turn.ts'

/** Notes a message with personal data, to be deleted from the chat after use. */
export function noteTyped(file: RecordFile, messageId: number): void {
  file.typed = [...(file.typed ?? []), messageId]
}

/** Asks for or about personal details; the message goes from the chat together with what is typed there. */
export async function askPersonal(turn: Turn, file: RecordFile, view: View): Promise<void> {
  const before = turn.account.latest
  await turn.ask(view)
  const { latest } = turn.account
  if (latest !== undefined && latest !== before) noteTyped(file, latest)
}

/** Says so, then deletes what was typed (Telegram allows it for 48 hours). */
export async function deleteTyped(
  turn: Turn,
  file: RecordFile,
  words: 'typed-deleted' | 'typed-deleted-sms' | 'typed-withdrawn',
): Promise<void> {
  const typed = file.typed ?? []
  delete file.typed
  if (typed.length === 0) return
  const { asked } = turn.account
  if (asked === undefined) await tell(turn, words)
  else await turn.close(turn.t(words))
  await turn.deleteMessages(typed.filter((id) => id !== asked))
}
