import type { RecordFile } from '../domain/record-file.ts'
import type { View } from '../views/view.ts'
import { saveFile } from './files.ts'
import type { Turn } from './turn.ts'

/** Asks for or about personal details; the message goes from the chat together with what is typed there. */
export async function askPersonal(turn: Turn, file: RecordFile, view: View): Promise<void> {
  const before = turn.account.latest
  await turn.ask(view)
  const { latest } = turn.account
  if (latest === undefined || latest === before) return
  file.typed = [...(file.typed ?? []), latest]
  saveFile(turn, file)
}
