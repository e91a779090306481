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
import { resultReadyView } from '../views/submission.ts'

/** Has the result delivered, or what is still owed of it; `again`: this chat has all of it anew, the others what they lack. */
export async function deliver(ctx: UpdateContext, { s }: RecordFile, again?: number): Promise<void> {
  resultJob.post(ctx.work, s, { s, onBehalf: await onBehalf(ctx), again }, { replace: true })
  await ctx.work.touch(recordFiles, s)
  watchRecord(ctx, s)
}

/** Has the result delivered to this chat once more. */
export async function deliverAgain(ctx: UpdateContext, { s }: RecordFile): Promise<void> {
  const again = ctx.account.chatId
  resultJob.post(ctx.work, s, { s, onBehalf: await onBehalf(ctx), again })
}

/** Has sent what this account is owed since it had blocked the bot: also an organizer, who has begun nothing. */
export async function deliverBlocked({
  work,
  who,
  account,
}: UpdateContext): Promise<'begun' | 'nothing owed'> {
  const { waiting = [] } = (await work.get(blockedDeliveries, who)) ?? {}
  if (waiting.length > 0) work.remove(blockedDeliveries, who)
  let isResultOwed = false
  for (const { actor, body } of waiting) {
    work.post(actor, body)
    const owed = actorKind(actor) === 'result' ? await work.get(owedResults, actorId(actor)) : undefined
    isResultOwed ||= owed?.parts.some(({ chatId }) => chatId === account.chatId) ?? false
  }
  return isResultOwed ? 'begun' : 'nothing owed'
}

/** What is owed to this chat is on its way; who has everything may have it again. */
export async function showScored(ctx: UpdateContext, file: RecordFile): Promise<void> {
  if (await isServed(ctx, file))
    return ctx.ask(resultReadyView(ctx.t, { s: file.s, title: await titleHere(ctx, file) }))
  const resultTo = resultToOf(ctx.deps.config, file)
  await sendText(ctx, resultTo === 'organizer' ? 'submitted-organizer' : 'result-coming')
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

/** Whether the report has reached who is to have it: of the participants this chat, else the organizers. */
export async function isReportThere(ctx: UpdateContext, file: RecordFile): Promise<boolean> {
  return (isIn(file, 'done') && !file.state.isOwed) || isServed(ctx, file)
}
