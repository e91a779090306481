import { titleHere } from '../dialog/access.ts'
import { onBehalf } from '../dialog/call.ts'
import { sendText } from '../dialog/notify.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { resultJob } from '../jobs/deliver-result.ts'
import { resultToOf } from '../jobs/recipients.ts'
import { watchRecord } from '../jobs/watch-jobs.ts'
import { actorId, actorKind } from '../queue/actors.ts'
import { blockedDeliveries, owedResults, recordFiles } from '../storage/documents/kinds.ts'
import { resultReadyView } from '../views/tests.ts'

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
  const isOrganizers = resultToOf(ctx.deps.config, file) === 'organizer'
  const isDone = isIn(file, 'done')
  if (isDone ? !isOrganizers : await isServed(ctx, file))
    return ctx.ask(resultReadyView(ctx.t, { s: file.s, title: await titleHere(ctx, file) }))
  if (isDone) return sendText(ctx, file.state.isOwed ? 'submitted-organizer' : 'delivered-organizer')
  await sendText(ctx, isOrganizers ? 'submitted-organizer' : 'result-coming')
  await deliver(ctx, file)
}

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
