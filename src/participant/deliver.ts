import { titleHere } from '../dialog/access.ts'
import { onBehalf } from '../dialog/call.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { isIn, type RecordFile, type StateOf } from '../domain/record/record.ts'
import { resultJob } from '../jobs/deliver-result.ts'
import { deciders, isResultDueHere, resultToOf } from '../jobs/recipients.ts'
import { watchRecord } from '../jobs/watch-jobs.ts'
import { actorId, actorKind } from '../queue/actors.ts'
import { blockedDeliveries, owedResults, recordFiles } from '../storage/documents/kinds.ts'
import { resultReadyView } from '../views/tests.ts'
import type { View } from '../views/view.ts'

/** Has the result delivered, or what is still owed of it; `again`: this chat has all of it anew, the others what they lack. */
export async function deliver(ctx: UpdateContext, file: RecordFile, again?: number): Promise<void> {
  const { s } = file
  resultJob.post(ctx.work, s, { s, onBehalf: await onBehalf(ctx), again }, { replace: true })
  await ctx.work.touch(recordFiles, s)
  watchRecord(ctx, file)
}

/** Has the result delivered to this chat once more. */
export async function deliverAgain(ctx: UpdateContext, { s }: RecordFile): Promise<void> {
  const again = ctx.account.chatId
  resultJob.post(ctx.work, s, { s, onBehalf: await onBehalf(ctx), again })
}

/** Has sent what this account, also an organizer's, is owed since it had blocked the bot; whether a result is. */
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

/** What is owed to this chat is on its way; who has everything may have it again. */
export async function showResult(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const view = await resultView(ctx, file)
  if (view.keyboard) return ctx.ask(view)
  await ctx.send(view)
  if (!isIn(file, 'done')) await deliver(ctx, file)
}

/** Where the result is of what is scored, with the way to have it again for whoever has everything. */
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

/** What is said while answers are on their way. */
export const submittingText = ({ t, deps }: UpdateContext, file: RecordFile): string =>
  t(isResultDueHere(deps.config, file) ? 'submit-waiting' : 'record-waiting')

/** Why what was finished or registered elsewhere goes on no more. */
export function elsewhereText(
  { t }: UpdateContext,
  { isOthers, ofRoadmap }: Omit<StateOf<'elsewhere'>, 'stage'>,
): string {
  if (isOthers) return t('registered-elsewhere')
  return t(ofRoadmap ? 'belongs-to-roadmap' : 'finished-elsewhere')
}

/** Whether this chat has its result, or could have it again. */
export const hasResult = async (ctx: UpdateContext, file: RecordFile): Promise<boolean> =>
  isIn(file, 'done') || (isIn(file, 'scored') && (await isServed(ctx, file)))

/** Whether this chat has its result, while another one is still owed it. */
export async function isServed(ctx: UpdateContext, file: RecordFile): Promise<boolean> {
  const { account, deps, work } = ctx
  const owed = await work.get(owedResults, file.s)
  return (
    resultToOf(deps.config, file) !== 'organizer' &&
    owed !== undefined &&
    owed.parts.every(({ chatId }) => chatId !== account.chatId)
  )
}
