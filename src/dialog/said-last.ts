import { askedQuestions } from '../storage/documents/asked-questions.ts'
import type { UpdateContext } from './update-context.ts'

/** Whether the bot has said nothing below a message: a yes, or a number, is for what was said last. */
export const isLastSaid = async (ctx: UpdateContext, messageId: number | undefined): Promise<boolean> =>
  messageId !== undefined && messageId >= (ctx.account.ours ?? 0) && messageId >= (await newestReply(ctx))

/** The newest message by which an organizer has answered here, who may have asked something back. */
export async function newestReply({ account, work }: UpdateContext): Promise<number> {
  const asked = (account.questions ?? []).map(({ id }) => work.get(askedQuestions, id))
  return Math.max(0, ...(await Promise.all(asked)).map((question) => question?.reply ?? 0))
}
