import { titleHere } from '../dialog/access.ts'
import { onBehalf } from '../dialog/call.ts'
import { sendText } from '../dialog/notify.ts'
import type { Turn } from '../dialog/turn.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { resultJob } from '../jobs/deliver-result.ts'
import { resultToOf } from '../jobs/recipients.ts'
import { watchRecord } from '../jobs/watch-jobs.ts'
import { actorId, actorKind } from '../queue/actors.ts'
import { blockedDeliveries, owedResults, recordFiles } from '../storage/documents/kinds.ts'
import { resultReadyView } from '../views/submission.ts'

/** Has the result delivered, or what is still owed of it; `again`: this chat has all of it anew, the others what they lack. */
export async function deliver(turn: Turn, { s }: RecordFile, again?: number): Promise<void> {
  resultJob.post(turn.work, s, { s, onBehalf: await onBehalf(turn), again }, { replace: true })
  await turn.work.touch(recordFiles, s)
  watchRecord(turn, s)
}

/** Has the result delivered to this chat once more. */
export async function deliverAgain(turn: Turn, { s }: RecordFile): Promise<void> {
  const again = turn.account.chatId
  resultJob.post(turn.work, s, { s, onBehalf: await onBehalf(turn), again })
}

/** Has sent what this account is owed since it had blocked the bot: also an organizer, who has begun nothing. */
export async function deliverBlocked({ work, who, account }: Turn): Promise<'begun' | 'nothing owed'> {
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
export async function showScored(turn: Turn, file: RecordFile): Promise<void> {
  if (await isServed(turn, file))
    return turn.ask(resultReadyView(turn.t, { s: file.s, title: await titleHere(turn, file) }))
  const resultTo = resultToOf(turn.deps.config, file)
  await sendText(turn, resultTo === 'organizer' ? 'submitted-organizer' : 'result-coming')
  await deliver(turn, file)
}

/** Whether this chat has its result, while another one is still owed it. */
export async function isServed(turn: Turn, file: RecordFile): Promise<boolean> {
  const { account, deps, work } = turn
  const owed = await work.get(owedResults, file.s)
  return (
    resultToOf(deps.config, file) !== 'organizer' &&
    owed !== undefined &&
    owed.parts.every(({ chatId }) => chatId !== account.chatId)
  )
}

/** Whether the report has reached who is to have it: of the participants this chat, else the organizers. */
export async function isReportThere(turn: Turn, file: RecordFile): Promise<boolean> {
  return (isIn(file, 'done') && !file.state.isOwed) || isServed(turn, file)
}
