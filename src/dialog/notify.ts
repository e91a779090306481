import type { NoticeKind } from '../domain/notice.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { standingOf } from '../domain/record/standing.ts'
import { isFlagged, validityOf } from '../domain/response-validity.ts'
import type { Failure } from '../jobs/call.ts'
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

/** What a text has to be filled in with: nothing, or its variables. */
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

/** A link or a code opens nothing: says so, and has what is under way stand below it. */
export async function opensNothing(ctx: UpdateContext, unknown?: RecordFile): Promise<void> {
  await sendText(ctx, 'invitation-unknown')
  const file = await focusedFile(ctx)
  if (file && file !== unknown && isIn(file, 'intro', 'profile', 'code', 'questions', 'board', 'failed'))
    leadTo(ctx, file)
}

/** Says something that is not worth standing twice: it takes the place of what was said so before. */
export async function sayOnce(ctx: UpdateContext, view: View): Promise<void> {
  const { account } = ctx
  const { here } = account
  delete account.here
  if (here !== undefined) ctx.deleteMessages([here])
  await (view.keyboard ? ctx.ask(view) : ctx.send(view))
  const said = ctx.sent.at(-1)
  if (said !== undefined) account.here = said
}

/** Says, once, that what is under way needs a moment. */
export const sendOneMoment = (ctx: UpdateContext): Promise<void> =>
  sayOnce(ctx, { text: ctx.t('one-moment') })

/** Adds the way to the other language, for somebody whose Telegram is not in the default one and who chose none yet. */
export function withOtherLanguage({ account, language, deps }: UpdateContext, view: View): View {
  if (account.language !== undefined || !account.isForeign) return view
  const others = LANGUAGE_CODES.filter((code) => code !== language)
  const ways = others.map((code) => [
    button(deps.texts.for(code).plain('language-name'), buttons.lang.data(code)),
  ])
  return { ...view, keyboard: [...(view.keyboard ?? []), ...ways] }
}

/** Whether the chat is in the midst of the dialog of another record, whose question stands. */
export async function isBusyElsewhere(ctx: UpdateContext, { s }: RecordFile): Promise<boolean> {
  const other = await focusedFile(ctx)
  return other !== undefined && other.s !== s && isIn(other, 'intro', 'profile', 'code')
}

/** Asks about a record; in the midst of another one's dialog it is only said, and the question there stands. */
export async function askAbout(ctx: UpdateContext, file: RecordFile, view: View): Promise<void> {
  if (await isBusyElsewhere(ctx, file)) await ctx.send(view)
  else await ctx.ask(view)
}

/**
 * What an outcome or an event leads to does not come between: while another dialog is under way, or something was asked
 * beside it, it is a button away.
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

/** Tells the organizers what only they can mend, of one record once an hour. */
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

/** Nobody is there who may agree for a minor: it stops here, and the organizers hear of it. */
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
  // Of a roadmap it is said whose guardian it is, not who else takes part.
  const parent = roadmap && role !== undefined ? { s, role } : file.parent
  const whose = { ...file, parent, ...(roadmap && parent && { shownAs: undefined }) }
  await notifyOrganizers(ctx, whose, 'notice-guardian', { title: test.title })
}

/** Tells the organizers that the service has accepted somebody's answers, with how they were given, never which. */
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

/** Tells the organizers once that the service refuses the key, until it works again. */
export async function notifyKeyTrouble({ deps, work }: UpdateContext): Promise<void> {
  await postNotice(deps, work, { ...KEY_TROUBLE, isLasting: true }, undefined)
}

/** A call has succeeded: should the key be refused again organizers hear of it anew. */
export const keyWorks = ({ work }: UpdateContext): Promise<void> => settleNotice(work, KEY_TROUBLE)

/** Codes are asked for and not verified, by whoever it is: none goes out for a while. */
export async function notifyUnverified({ deps, work }: UpdateContext): Promise<void> {
  await postNotice(deps, work, { key: 'notice-sms-unverified', of: 'bot' }, undefined)
}

const KEY_TROUBLE = { key: 'notice-key', of: 'key' } as const

/** What only an organizer can mend, whichever call it stopped. */
const REFUSALS: readonly Failure['code'][] = ['key_invalid', 'forbidden', 'billing', 'bad_request']

/** Says why a call failed, in words for the participant, with the way on; organizers hear of what they can mend. */
export async function failed(ctx: UpdateContext, file: RecordFile, failure: Failure): Promise<void> {
  // Whoever has begun came by a link that was right.
  const code = failure.code === 'not_found' && file.isBegun ? 'bad_request' : failure.code
  if (REFUSALS.includes(code)) {
    // A record that was never read has no title yet; the organizer knows it by its token.
    const title = file.test.title || file.token
    const kind = code === 'billing' && { kind: code }
    if (code === 'key_invalid') await notifyKeyTrouble(ctx)
    else await notifyOrganizers(ctx, file, 'notice-refused', { title }, { ...kind })
  }
  await askAbout(ctx, file, failureView(ctx.t, code, file.s))
}
