import { isIn, type RecordFile } from '../domain/record/record.ts'
import { standingOf } from '../domain/record/standing.ts'
import { meanwhileView } from '../views/tests.ts'
import { type View, withWord } from '../views/view.ts'
import { titleHere } from './access.ts'
import { focusedFile } from './files.ts'
import type { UpdateContext } from './update-context.ts'

/** Whether the chat is in the midst of the dialog of another record, whose question stands. */
export async function isBusyElsewhere(ctx: UpdateContext, { s }: Pick<RecordFile, 's'>): Promise<boolean> {
  const other = await focusedFile(ctx)
  return other !== undefined && other.s !== s && isIn(other, 'intro', 'profile', 'code')
}

/** Asks about a record; in the midst of another one's dialog it is only said, and the question there stands. */
export async function askAbout(ctx: UpdateContext, file: RecordFile, view: View): Promise<void> {
  if (await isBusyElsewhere(ctx, file)) await ctx.send(view)
  else await ctx.ask(view)
}

/** What an outcome or an event leads to does not come between: while another dialog is under way it is a button away. */
export async function waitMeanwhile(ctx: UpdateContext): Promise<void> {
  const { due } = ctx
  if (!due || due.show === 'aside' || !(await isBusyElsewhere(ctx, due.file))) return
  ctx.due = undefined
  const { file } = due
  const test = { s: file.s, standing: standingOf(file), title: await titleHere(ctx, file) }
  const view = meanwhileView(ctx.t, test)
  await ctx.send(withWord(view, due.show === 'question' ? due.word : undefined))
}
