import type { Context } from 'grammy'
import type { UpdateContext } from './update-context.ts'

/** grammY's context of one update, with the update that handles it. */
export type IncomingContext = Context & {
  ctx: UpdateContext
  /** Answers the tap with a toast or an alert; a tap that nobody answers is acknowledged at the end. */
  toast(text: string, alert?: boolean): Promise<void>
}

/** Gives grammY's context the update that handles it; nobody waits for an answer to a tap yet. */
export const withContext = (incoming: Context, ctx: UpdateContext): IncomingContext =>
  Object.assign(incoming, { ctx, toast: async () => undefined })

/** Whether the tapped button stands on the message that asked last: buttons without a record id count only there. */
export const isOnAsked = ({ callbackQuery, ctx }: IncomingContext): boolean =>
  ctx.account.asked !== undefined && callbackQuery?.message?.message_id === ctx.account.asked

/** The message under the button that was tapped. */
export const tappedMessage = (incoming: Context): number | undefined =>
  incoming.callbackQuery?.message?.message_id
