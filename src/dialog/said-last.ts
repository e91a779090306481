import type { RecordFile } from '../domain/record/record.ts'
import { askedQuestions } from '../storage/documents/asked-questions.ts'
import type { UpdateContext } from './update-context.ts'

/** An introduction is what asks now: a yes begins it. */
export function noteAsksToBegin({ account }: UpdateContext, { s }: RecordFile): void {
  if (account.asked !== undefined) account.detail = { s, ask: 'begin', messageId: account.asked }
}

/** Whether nothing else that a yes can be for was said below a message. */
export const isLastSaid = async (ctx: UpdateContext, messageId: number | undefined): Promise<boolean> =>
  messageId !== undefined && messageId >= (ctx.account.ours ?? 0) && messageId >= (await newestReply(ctx))

/** The newest message by which an organizer has answered here, who may have asked something back. */
export async function newestReply({ account, work }: UpdateContext): Promise<number> {
  const asked = (account.questions ?? []).map(({ id }) => work.get(askedQuestions, id))
  return Math.max(0, ...(await Promise.all(asked)).map((question) => question?.reply ?? 0))
}
