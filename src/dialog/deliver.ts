import { resultActor } from '../background/actors.ts'
import type { ResultJob } from '../background/deliver-result.ts'
import { blockedDeliveries, owedResults } from '../background/owed-result.ts'
import type { RecordFile } from '../domain/record-file.ts'
import { resultReadyView } from '../views/submission.ts'
import { onBehalf } from './call.ts'
import { saveFile } from './files.ts'
import { watchExpiry } from './keep.ts'
import { tell } from './say.ts'
import type { Turn } from './turn.ts'

/** Has the result delivered, or what is still owed of it. */
export async function deliver(turn: Turn, file: RecordFile): Promise<void> {
  const job: ResultJob = { s: file.s, onBehalf: await onBehalf(turn) }
  turn.work.post(resultActor(file.s), job, { replace: true })
  saveFile(turn, file)
  await watchExpiry(turn, file)
}

/** Has the result delivered to this chat once more. */
export async function deliverAgain(turn: Turn, file: RecordFile): Promise<void> {
  const job: ResultJob = {
    s: file.s,
    onBehalf: await onBehalf(turn),
    again: turn.account.chatId,
    isRepeat: true,
  }
  turn.work.post(resultActor(file.s), job)
}

/** Has sent what this account is owed since it had blocked the bot: also an organizer, who has begun nothing. */
export async function deliverBlocked({ work, who, account }: Turn): Promise<boolean> {
  const waiting = await work.get(blockedDeliveries, who)
  if (!waiting) return false
  work.remove(blockedDeliveries, who)
  let isOwed = false
  for (const job of waiting.results) {
    const owed = await work.get(owedResults, job.s)
    if (!owed?.parts.some(({ chatId }) => chatId === account.chatId)) continue
    isOwed = true
    work.post(resultActor(job.s), job satisfies ResultJob)
  }
  return isOwed
}

/** What is owed to this chat is on its way; who has everything may have it again. */
export async function showScored(turn: Turn, file: RecordFile): Promise<void> {
  const { s, test } = file
  if (await isServed(turn, file)) return turn.ask(resultReadyView(turn.t, { s, title: test.title }))
  const { resultTo } = turn.deps.config
  await tell(turn, resultTo === 'organizer' ? 'submitted-organizer' : 'result-coming')
  await deliver(turn, file)
}

/** Whether this chat has its result, while another one is still owed it. */
export async function isServed(turn: Turn, { s }: RecordFile): Promise<boolean> {
  const { account, deps, work } = turn
  const owed = await work.get(owedResults, s)
  return (
    deps.config.resultTo !== 'organizer' &&
    owed !== undefined &&
    owed.parts.every(({ chatId }) => chatId !== account.chatId)
  )
}
