import { isIn, type RecordFile } from '../domain/record/record.ts'
import { standingOf } from '../domain/record/standing.ts'
import { meanwhileView } from '../views/tests.ts'
import { type View, withWord } from '../views/view.ts'
import { titleHere } from './access.ts'
import { focusedFile } from './files.ts'
import type { Turn } from './turn.ts'

/** Whether the chat is in the midst of the dialog of another record, whose question stands. */
export async function isBusyElsewhere(turn: Turn, { s }: Pick<RecordFile, 's'>): Promise<boolean> {
  const other = await focusedFile(turn)
  return other !== undefined && other.s !== s && isIn(other, 'intro', 'profile', 'code')
}

/** Asks about a record; in the midst of another one's dialog it is only said, and the question there stands. */
export async function askAbout(turn: Turn, file: RecordFile, view: View): Promise<void> {
  if (await isBusyElsewhere(turn, file)) await turn.send(view)
  else await turn.ask(view)
}

/** What an outcome or an event leads to does not come between: while another dialog is under way it is a button away. */
export async function waitMeanwhile(turn: Turn): Promise<void> {
  const { due } = turn
  if (!due || due.show === 'aside' || !(await isBusyElsewhere(turn, due.file))) return
  turn.due = undefined
  const { file } = due
  const test = { s: file.s, standing: standingOf(file), title: await titleHere(turn, file) }
  const view = meanwhileView(turn.t, test)
  await turn.send(withWord(view, due.show === 'question' ? due.word : undefined))
}
