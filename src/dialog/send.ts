import { isIn, type RecordFile } from '../domain/record/record.ts'
import { standingOf } from '../domain/record/standing.ts'
import type { TextKey, TextVariables } from '../texts/keys.ts'
import { LANGUAGE_CODES } from '../texts/languages.ts'
import type { SimpleTextKey } from '../texts/texts.ts'
import { buttons } from '../views/buttons.ts'
import { headed } from '../views/question.ts'
import { meanwhileView } from '../views/tests.ts'
import { button, type View, withTextAbove } from '../views/view.ts'
import { titleHere } from './access.ts'
import { focusedFile, visibleFile } from './files.ts'
import { leadTo, type UpdateContext } from './update-context.ts'

/** The variables of a text, if it has any. */
type Filling<K extends TextKey> = TextVariables[K] extends undefined ? [] : [variables: TextVariables[K]]

/** Sends a text as a message. */
export async function sendText<K extends TextKey>(
  ctx: UpdateContext,
  key: K,
  ...filling: Filling<K>
): Promise<void> {
  const [variables] = filling
  await ctx.send({ text: ctx.t(key, variables as TextVariables[K]) })
}

/** Says that a link or a code opens nothing, and shows the current record below. */
export async function opensNothing(ctx: UpdateContext, unknown?: RecordFile): Promise<void> {
  await sendText(ctx, 'invitation-unknown')
  const file = await focusedFile(ctx)
  if (file && file !== unknown && isIn(file, 'intro', 'profile', 'code', 'questions', 'board', 'failed'))
    leadTo(ctx, file)
}

/** Sends a notice that replaces the last one of this kind. */
export async function replaceNotice(ctx: UpdateContext, view: View): Promise<void> {
  const { account } = ctx
  const { here } = account
  delete account.here
  if (here !== undefined) ctx.deleteMessages([here])
  await (view.keyboard ? ctx.ask(view) : ctx.send(view))
  const said = ctx.sent.at(-1)
  if (said !== undefined) account.here = said
}

/** Sends, once, that the running call needs a moment. */
export const sendOneMoment = (ctx: UpdateContext): Promise<void> =>
  replaceNotice(ctx, { text: ctx.t('one-moment') })

/** Adds a button for the other language, if Telegram does not use the default one and none is chosen yet. */
export function withOtherLanguage({ account, language, deps }: UpdateContext, view: View): View {
  if (account.language !== undefined || !account.isForeign) return view
  const others = LANGUAGE_CODES.filter((code) => code !== language)
  const ways = others.map((code) => [
    button(deps.texts.for(code).plain('language-name'), buttons.lang.data(code)),
  ])
  return { ...view, keyboard: [...(view.keyboard ?? []), ...ways] }
}

/** Whether the chat is in the dialog of another record, whose question waits. */
export async function isBusyElsewhere(ctx: UpdateContext, { s }: RecordFile): Promise<boolean> {
  const other = await focusedFile(ctx)
  return other !== undefined && other.s !== s && isIn(other, 'intro', 'profile', 'code')
}

/** Whether other tests are in the chat as well, so that a question must name its test. */
export async function isAmongOthers(ctx: UpdateContext, { s, parent }: RecordFile): Promise<boolean> {
  const others = Object.keys(ctx.account.screens).filter((other) => other !== s && other !== parent?.s)
  const files = await Promise.all(others.map((other) => visibleFile(ctx, other)))
  return files.some((file) => file && isIn(file, 'questions', 'board', 'failed'))
}

/** A view about a record, under its title if the chat is also about others. */
export async function namedHere(ctx: UpdateContext, file: RecordFile, view: View): Promise<View> {
  // The screens are read only if the dialog does not decide it.
  const isNamed = (await isBusyElsewhere(ctx, file)) || (await isAmongOthers(ctx, file))
  return headed(ctx.t, view, isNamed && (await titleHere(ctx, file)))
}

/** Sends a text about a record, in the same way. */
export async function sendAbout(ctx: UpdateContext, file: RecordFile, key: SimpleTextKey): Promise<void> {
  await ctx.send(await namedHere(ctx, file, { text: ctx.t(key) }))
}

/** Asks about a record. During another record's dialog it only sends the view, and that question stays. */
export async function askAbout(ctx: UpdateContext, file: RecordFile, view: View): Promise<void> {
  const named = await namedHere(ctx, file, view)
  if (await isBusyElsewhere(ctx, file)) await ctx.send(named)
  else await ctx.ask(named)
}

/**
 * The place that an outcome or event leads to must not interrupt another dialog, or a question beside it: the
 * chat gets a button instead. A refusal is kept until the question is asked, and so is its notice.
 */
export async function waitMeanwhile(ctx: UpdateContext, isAskedBeside: boolean): Promise<void> {
  const { due } = ctx
  if (!due || due.show === 'aside' || !(isAskedBeside || (await isBusyElsewhere(ctx, due.file)))) return
  ctx.due = undefined
  const { word, refusal } = due.show === 'question' ? due : {}
  if (refusal) due.file.refusal = refusal
  if (word !== undefined) due.file.word = word
  await sendMeanwhile(ctx, due.file, refusal ? undefined : word)
}

/** Says how far a record is that the chat is not about now, with the button that leads to it. */
export async function sendMeanwhile(ctx: UpdateContext, file: RecordFile, word?: string): Promise<void> {
  const test = { s: file.s, standing: standingOf(file), title: await titleHere(ctx, file) }
  await ctx.send(withTextAbove(meanwhileView(ctx.t, test), word))
}
