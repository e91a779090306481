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
  const before = turn.sent.length
  await turn.ask(view)
  for (const messageId of turn.sent.slice(before)) noteTyped(file, messageId)
}

/** Asks for a detail once more: what asked for it before goes, so that one question never stands there twice. */
export async function askDetail(turn: Turn, file: RecordFile, ask: string, view: View): Promise<void> {
  const { account } = turn
  const older = account.detail
  const before = turn.sent.length
  await askPersonal(turn, file, view)
  const messageId = turn.sent.slice(before).at(-1)
  if (messageId === undefined) return
  if (older?.s === file.s && older.ask === ask) await turn.deleteMessages([older.messageId])
  account.detail = { s: file.s, ask, messageId }
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
