import type { Context } from 'grammy'
import type { Turn } from './turn.ts'

/** grammY's context of one update, with the turn that handles it. */
export type BotContext = Context & {
  turn: Turn
  /** Answers the tap with a toast or an alert; a tap that nobody answers is acknowledged at the end. */
  toast(text: string, alert?: boolean): Promise<void>
}

/** The message under the button that was tapped. */
export const tappedMessage = (ctx: BotContext): number | undefined => ctx.callbackQuery?.message?.message_id
