import { type Entry, entry as entrySchema } from '../chat/due.ts'
import type { Turn } from '../chat/turn.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { talks } from '../kept/documents.ts'
import { isFitting, stepOf } from './steps.ts'

/** What the step that waits was entered with. */
export async function waitingEntry(turn: Turn, { s }: RecordFile, id: string): Promise<Entry | undefined> {
  const [waiting] = (await turn.work.get(talks, s))?.state[id] ?? []
  const [entered]: unknown[] = JSON.parse(waiting?.args ?? '[]')
  const read = entrySchema.safeParse(entered)
  return read.success ? read.data : undefined
}

/** The step that the dialog has come to, or the one that waits beside it with a doubt or a correction. */
export async function stepNow(turn: Turn, file: RecordFile): Promise<Entry['ask'] | undefined> {
  const expected = stepOf(file, turn.today)
  const [id] = Object.keys((await turn.work.get(talks, file.s))?.state ?? {})
  const waiting = id === undefined ? undefined : await waitingEntry(turn, file, id)
  return isFitting(waiting, file, turn.today) ? waiting?.ask : expected?.ask
}
