import { titleHere } from '../dialog/access.ts'
import { onBehalf } from '../dialog/call.ts'
import { replaceNotice } from '../dialog/send.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { isIn, type RecordFile, type StateOf } from '../domain/record/record.ts'
import { resultJob } from '../jobs/deliver-result.ts'
import { deciders, isResultDueHere, resultToOf } from '../jobs/recipients.ts'
import { watchRecord } from '../jobs/watch-jobs.ts'
import { actorId, actorKind } from '../queue/actors.ts'
import { blockedDeliveries, owedResults, recordFiles } from '../storage/documents/kinds.ts'
import { resultReadyView } from '../views/tests.ts'
import type { View } from '../views/view.ts'

/** Delivers the result, or its owed parts. `again`: this chat gets all of it, others what they lack. */
export async function deliver(ctx: UpdateContext, file: RecordFile, again?: number): Promise<void> {
  const { s } = file
  resultJob.post(ctx.work, s, { s, onBehalf: await onBehalf(ctx), again }, { replace: true })
  await ctx.work.touch(recordFiles, s)
  watchRecord(ctx, file)
}

/** Delivers the result to this chat once more. */
export async function deliverAgain(ctx: UpdateContext, { s }: RecordFile): Promise<void> {
  const again = ctx.account.chatId
  resultJob.post(ctx.work, s, { s, onBehalf: await onBehalf(ctx), again })
}

/** Sends what an account, also an organizer's, is owed since it blocked the bot; whether a result is. */
export async function deliverBlocked({ work, who, account }: UpdateContext): Promise<boolean> {
  const { waiting = [] } = (await work.get(blockedDeliveries, who)) ?? {}
  if (waiting.length > 0) work.remove(blockedDeliveries, who)
  let isResultOwed = false
  for (const { actor, body } of waiting) {
    work.post(actor, body)
    const owed = actorKind(actor) === 'result' ? await work.get(owedResults, actorId(actor)) : undefined
    isResultOwed ||= owed?.parts.some(({ chatId }) => chatId === account.chatId) ?? false
  }
  return isResultOwed
}

/** Delivers the parts owed to this chat; after a full delivery, offers the result once more. */
export async function showResult(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const view = await resultView(ctx, file)
  await replaceNotice(ctx, view)
  if (!view.keyboard && !isIn(file, 'done')) await deliver(ctx, file)
}

/** Where the result of a scored record is, with a button to get it again after a full delivery. */
export async function resultView(ctx: UpdateContext, file: RecordFile): Promise<View> {
  const { t, deps } = ctx
  const isOrganizers = resultToOf(deps.config, file) === 'organizer'
  const isDone = isIn(file, 'done')
  if (isDone ? !isOrganizers : await isServed(ctx, file))
    return resultReadyView(t, { s: file.s, title: await titleHere(ctx, file) })
  if (!isOrganizers) return { text: t('result-coming') }
  const isReceived = isDone && !file.state.isOwed && deciders(deps.config).length > 0
  return { text: t(isReceived ? 'delivered-organizer' : 'submitted-organizer') }
}

/** The text while answers are being submitted. */
export const submittingText = ({ t, deps }: UpdateContext, file: RecordFile): string =>
  t(isResultDueHere(deps.config, file) ? 'submit-waiting' : 'record-waiting')

/** Why a record that was finished or registered elsewhere does not go on. */
export function elsewhereText(
  { t }: UpdateContext,
  { isOthers, ofRoadmap }: Omit<StateOf<'elsewhere'>, 'stage'>,
): string {
  if (isOthers) return t('registered-elsewhere')
  return t(ofRoadmap ? 'belongs-to-roadmap' : 'finished-elsewhere')
}

/** Whether this chat has its result, or may get it again. */
export const hasResult = async (ctx: UpdateContext, file: RecordFile): Promise<boolean> =>
  isIn(file, 'done') || (isIn(file, 'scored') && (await isServed(ctx, file)))

/** Whether this chat has its result while other chats are still owed theirs. */
export async function isServed(ctx: UpdateContext, file: RecordFile): Promise<boolean> {
  const { account, deps, work } = ctx
  const owed = await work.get(owedResults, file.s)
  return (
    resultToOf(deps.config, file) !== 'organizer' &&
    owed !== undefined &&
    owed.parts.every(({ chatId }) => chatId !== account.chatId)
  )
}
