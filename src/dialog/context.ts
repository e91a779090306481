import type { Context } from 'grammy'
import type { Turn } from './turn.ts'

/** grammY's context of one update, with the turn that handles it. */
export type TurnContext = Context & {
  turn: Turn
  /** Answers the tap with a toast or an alert; a tap that nobody answers is acknowledged at the end. */
  toast(text: string, alert?: boolean): Promise<void>
}

/** Gives grammY's context the turn that handles it; nobody waits for an answer to a tap yet. */
export const inTurn = (ctx: Context, turn: Turn): TurnContext =>
  Object.assign(ctx, { turn, toast: async () => undefined })

/** Whether the tapped button stands on the message that asked last: buttons without an `S` count only there. */
export const isOnAsked = ({ callbackQuery, turn }: TurnContext): boolean =>
  turn.account.asked !== undefined && callbackQuery?.message?.message_id === turn.account.asked

/** The message under the button that was tapped. */
export const tappedMessage = (ctx: Context): number | undefined => ctx.callbackQuery?.message?.message_id
