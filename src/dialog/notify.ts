import type { NoticeKind } from '../domain/notice.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { standingOf } from '../domain/record/standing.ts'
import { isFlagged, validityOf } from '../domain/response-validity.ts'
import type { Failure } from '../jobs/call-table.ts'
import { type NoticeKey, postNotice, settleNotice, type Variables } from '../jobs/notices.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import type { TextKey, TextVariables } from '../texts/keys.ts'
import { LANGUAGE_CODES } from '../texts/languages.ts'
import { raw, type Translate } from '../texts/texts.ts'
import { buttons } from '../views/buttons.ts'
import { failureView } from '../views/failure.ts'
import { validityText } from '../views/organizer-notices.ts'
import { meanwhileView } from '../views/tests.ts'
import { type Button, button, type View, withWord } from '../views/view.ts'
import { titleHere } from './access.ts'
import { readAttempt } from './attempt.ts'
import { focusedFile } from './files.ts'
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

/** Asks about a record. During another record's dialog it only sends the view, and that question stays. */
export async function askAbout(ctx: UpdateContext, file: RecordFile, view: View): Promise<void> {
  if (await isBusyElsewhere(ctx, file)) await ctx.send(view)
  else await ctx.ask(view)
}

/**
 * The place that an outcome or event leads to must not interrupt another dialog, or a question beside it: the
 * chat gets a button instead.
 */
export async function waitMeanwhile(ctx: UpdateContext, isAskedBeside: boolean): Promise<void> {
  const { due } = ctx
  if (!due || due.show === 'aside' || !(isAskedBeside || (await isBusyElsewhere(ctx, due.file)))) return
  ctx.due = undefined
  const { file } = due
  const test = { s: file.s, standing: standingOf(file), title: await titleHere(ctx, file) }
  const view = meanwhileView(ctx.t, test)
  await ctx.send(withWord(view, due.show === 'question' ? due.word : undefined))
}

/** Notifies the organizers of a problem that only they can solve, once an hour for each record. */
export async function notifyOrganizers<K extends NoticeKey>(
  { deps, work }: UpdateContext,
  whose: RecordFile,
  key: K,
  variables: Variables<K>,
  { buttons: rows, kind }: { buttons?: (t: Translate) => Button[][]; kind?: NoticeKind } = {},
): Promise<void> {
  if (await postNotice(deps, work, { key, of: whose.s, whose, kind }, variables, rows))
    deps.log.warn({ kind: key }, 'organizer is needed')
}

/** No guardian agrees for a minor: the dialog stops, and the organizers are notified. */
export async function stopForGuardian(
  ctx: UpdateContext,
  file: RecordFile,
  {
    role,
    word = 'guardian-stop',
  }: { role?: number | undefined; word?: 'guardian-stop' | 'guardian-declined-apart' } = {},
): Promise<void> {
  await sendText(ctx, word)
  const { s, roadmap, test } = file
  // For a roadmap the notice names the person who needs a guardian, not the others.
  const parent = roadmap && role !== undefined ? { s, role } : file.parent
  const whose = { ...file, parent, ...(roadmap && parent && { shownAs: undefined }) }
  await notifyOrganizers(ctx, whose, 'notice-guardian', { title: test.title })
}

/** Notifies the organizers that the service has accepted answers, with how they were given, never which. */
export async function notifyFinished(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { attemptCipher } = ctx.deps.vault
  const attempt = await readAttempt(ctx, file.s)
  const validity = attempt && validityOf(attempt, attemptCipher.decrypt(attempt))
  const whole = (file.parent && (await ctx.work.get(recordFiles, file.parent.s))) ?? file
  if (validity) {
    const { fast, run, activeMinutes } = validity
    file.validity = { fast, run, activeMinutes }
    if (isFlagged(validity)) whole.isFlagged = true
  }
  const { title, minutes } = file.test
  await notifyOrganizers(ctx, file, 'notice-finished', (t) => ({
    title,
    validity: validity ? raw(validityText(t, validity, minutes)) : '',
  }))
}

/** Notifies the organizers that the service refuses the key, only once until it works again. */
export async function notifyKeyTrouble({ deps, work }: UpdateContext): Promise<void> {
  await postNotice(deps, work, { ...KEY_TROUBLE, isLasting: true }, undefined)
}

/** A call has succeeded: if the key is refused again, the organizers get a new notice. */
export const keyWorks = ({ work }: UpdateContext): Promise<void> => settleNotice(work, KEY_TROUBLE)

/** Notifies the organizers that too many codes stay unverified, so that none is sent for a while. */
export async function notifyUnverified({ deps, work }: UpdateContext): Promise<void> {
  await postNotice(deps, work, { key: 'notice-sms-unverified', of: 'bot' }, undefined)
}

const KEY_TROUBLE = { key: 'notice-key', of: 'key' } as const

/** Failures of any call that only an organizer can solve. */
const REFUSALS: readonly Failure['code'][] = ['key_invalid', 'forbidden', 'billing', 'bad_request']

/** Tells the participant why a call failed and how to go on; organizers are notified if they can solve it. */
export async function failed(ctx: UpdateContext, file: RecordFile, failure: Failure): Promise<void> {
  // A record that was begun had a valid link.
  const code = failure.code === 'not_found' && file.isBegun ? 'bad_request' : failure.code
  if (REFUSALS.includes(code)) {
    // A record that was never read has no title; the organizer knows it by its token.
    const title = file.test.title || file.token
    const kind = code === 'billing' && { kind: code }
    if (code === 'key_invalid') await notifyKeyTrouble(ctx)
    else await notifyOrganizers(ctx, file, 'notice-refused', { title }, { ...kind })
  }
  await askAbout(ctx, file, failureView(ctx.t, code, file.s))
}
