import { HOUR_MS } from '../domain/durations.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { timerIds, watchJobs } from '../jobs/watch-jobs.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import { withAsk } from '../views/ask.ts'
import { openButton, standingText } from '../views/tests.ts'
import { paragraphs, type View } from '../views/view.ts'
import { awaitsBeginning, isMine } from './access.ts'
import { testHere } from './attempt.ts'
import { onBehalf } from './call.ts'
import { sendText } from './send.ts'
import { leaveAsked, type UpdateContext } from './update-context.ts'

/** Bots may delete messages for 48 hours: typed details are deleted before that, whatever their stage. */
const TYPED_LIFE_MS = 46 * HOUR_MS
const DELETABLE_MS = 48 * HOUR_MS

/** Notes a message with personal data, to delete it after use, or before Telegram no longer allows that. */
export async function noteTyped(ctx: UpdateContext, file: RecordFile, messageId: number): Promise<void> {
  const { typed = [], s } = file
  file.typed = [...typed, messageId]
  if (typed.length > 0) return
  const job = {
    s,
    onBehalf: await onBehalf(ctx),
    event: { kind: 'typed-old', until: ctx.now + DELETABLE_MS },
  } as const
  watchJobs.timer.post(ctx.work, timerIds.typed(s), job, { dueAt: ctx.now + TYPED_LIFE_MS, replace: true })
}

/** Upper limit for the messages noted at one introduction. */
const MOST_EARLY = 20

/** Notes a message that may be a detail sent too early or too late: it is deleted like the others. */
export async function noteEarly(ctx: UpdateContext, file: RecordFile, messageId: number): Promise<void> {
  const { account } = ctx
  // Another account may begin the introduced record, so this account keeps the note.
  if (awaitsBeginning(ctx, file)) account.typed = [...(account.typed ?? []), messageId].slice(-MOST_EARLY)
  else if (isIn(file, 'profile', 'code') && (await isMine(ctx, file))) await noteTyped(ctx, file, messageId)
}

/** Adds the messages written at an introduction to those typed for this file. */
export async function takeEarly(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { typed = [] } = ctx.account
  delete ctx.account.typed
  for (const early of typed) await noteTyped(ctx, file, early)
}

/** No details are asked for: the messages written at the introduction are deleted at once. */
export async function withdrawEarly(ctx: UpdateContext): Promise<void> {
  const { typed } = ctx.account
  if (!typed) return
  delete ctx.account.typed
  await sendText(ctx, 'typed-withdrawn')
  ctx.deleteMessages(typed)
}

/** Deletes the typed messages of a draft when the chat leaves it; the draft stays. */
export async function leaveDraft(
  ctx: UpdateContext,
  next?: RecordFile,
  words: 'typed-withdrawn' | 'cancelled' = 'typed-withdrawn',
): Promise<void> {
  const { focus } = ctx.account
  const file = focus === undefined || focus === next?.s ? undefined : await ctx.work.get(recordFiles, focus)
  // The whole roadmap leads back to the details of the account's own role.
  if (file?.parent && file.parent.s === next?.s) return
  if (file && isIn(file, 'profile', 'code') && (await isMine(ctx, file))) await deleteTyped(ctx, file, words)
}

/** A link interrupts a record: names the record, and offers the way back to it. */
export async function offerWayBack(ctx: UpdateContext, next: RecordFile): Promise<void> {
  const { focus } = ctx.account
  const file = focus === undefined || focus === next.s ? undefined : await ctx.work.get(recordFiles, focus)
  if (!file || !isIn(file, 'profile', 'code', 'questions') || !(await isMine(ctx, file))) return
  if (file.parent?.s === next.s && isIn(file, 'profile')) return
  const test = await testHere(ctx, file)
  const text = ctx.t('set-aside', { title: test.title, state: standingText(ctx.t, test.standing) })
  const hasTyped = isIn(file, 'profile', 'code') && file.typed !== undefined
  leaveAsked(ctx)
  await ctx.send({
    text: paragraphs(text, hasTyped && hasWritten(ctx, file) && ctx.t('typed-withdrawn')),
    keyboard: [[openButton(ctx.t, test)]],
  })
  if (!hasTyped) return
  leaveDetail(ctx, file)
  withdrawTyped(ctx, file)
}

/** Asks for or about personal details; the message is deleted together with the typed ones. */
async function askPersonal(ctx: UpdateContext, file: RecordFile, view: View): Promise<void> {
  const before = ctx.sent.length
  const isGiven = isIn(file, 'profile', 'code') && file.state.draft.mobile !== undefined
  if (ctx.account.contactKeyboard && !view.contactButton && isGiven) await sendText(ctx, 'keyboard-away')
  await ctx.ask(view)
  for (const messageId of ctx.sent.slice(before)) await noteTyped(ctx, file, messageId)
}

/**
 * Asks for a detail again, and deletes the older question, so that it is in the chat only once. Words that
 * were no answer can be sent to the organizers; a text without letters was meant as an answer.
 */
export async function askDetail(
  ctx: UpdateContext,
  file: RecordFile,
  ask: string,
  view: View,
  words: string | undefined,
) {
  const { account } = ctx
  const { s } = file
  delete file.word
  const older = account.detail
  const goes = older?.s === s && older.ask === ask ? older.messageId : undefined
  // A message that will be deleted keeps its buttons until then.
  if (account.asked === goes) delete account.asked
  const before = ctx.sent.length
  const text = words !== undefined && /\p{L}/u.test(words) ? words : undefined
  await askPersonal(ctx, file, withAsk(ctx.t, s, view, text !== undefined))
  const messageId = ctx.sent.slice(before).at(-1)
  if (text !== undefined) account.words = { s, text, messageId }
  else delete account.words
  if (messageId === undefined) return
  if (goes !== undefined) ctx.deleteMessages([goes])
  file.typed = file.typed?.filter((id) => id !== goes)
  const role = roleAsked(file, ask)
  const isHere = older?.s === s && (older.role === role || !isOfOne(ask))
  const isSame = !older || older.ask === 'begin' || isHere
  account.detail = { s, ask, messageId, role, since: isSame ? older?.since : messageId }
}

/** The question for a detail leaves the chat; its person is remembered until the next question. */
function leaveDetail({ account }: UpdateContext, { s }: RecordFile): void {
  if (account.detail?.s === s) account.detail = { ...account.detail, ask: 'left', messageId: -1 }
}

/** Whether a detail belongs to one person, and not to all. */
export const isOfOne = (ask: string): boolean => /^(?:name|birth|guardian|gender)\b/.test(ask)

/** Puts the given detail in place of the question; a new message with it is deleted with the typed ones. */
export const closeDetail = (ctx: UpdateContext, file: RecordFile, text: string): void =>
  ctx.close(text, (messageId) => file.typed?.push(messageId))

/** The role whose detail is asked for, if there are several. */
export const roleAsked = (file: RecordFile, ask: string): number | undefined =>
  isIn(file, 'profile') ? file.state.draft.people[Number(ask.split(':')[1])]?.role?.id : undefined

/** Whether there are noted messages besides the question. */
export const hasWritten = ({ account }: UpdateContext, { typed = [] }: RecordFile): boolean =>
  typed.some((id) => id !== account.detail?.messageId)

/** Deletes the typed messages without a notice. */
export function withdrawTyped(ctx: UpdateContext, file: RecordFile): void {
  const { typed } = file
  delete file.typed
  if (typed) ctx.deleteMessages(typed)
}

/** Sends a notice, then deletes the typed messages (Telegram allows it for 48 hours). */
export async function deleteTyped(
  ctx: UpdateContext,
  file: RecordFile,
  words:
    | 'typed-deleted'
    | 'typed-deleted-sms'
    | 'typed-given'
    | 'typed-withdrawn'
    | 'typed-stays'
    | 'cancelled',
): Promise<void> {
  const { typed = [] } = file
  const { asked } = ctx.account
  if (typed.length === 0) return
  const isSaid = words !== 'typed-withdrawn' || hasWritten(ctx, file)
  // The notice that takes the place of the question must not be deleted with it.
  leaveDetail(ctx, file)
  if (!isSaid) return withdrawTyped(ctx, file)
  if (asked === undefined || !typed.includes(asked)) await sendText(ctx, words)
  else ctx.close(ctx.t(words))
  // The notice has taken the place of the question.
  file.typed = typed.filter((id) => id !== asked)
  withdrawTyped(ctx, file)
}
