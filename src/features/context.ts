import type { Context } from 'grammy'
import type { Turn } from '../dialog/turn.ts'

/** grammY's context of one update, with the turn that handles it. */
export type BotContext = Context & {
  turn: Turn
  /** Answers the tap with a toast or an alert; a tap that nobody answers is acknowledged at the end. */
  toast(text: string, alert?: boolean): Promise<void>
}

/** The message under the button that was tapped. */
export const tappedMessage = (ctx: BotContext): number | undefined => ctx.callbackQuery?.message?.message_id

/** The data of a button about one record or roadmap: a verb and its `S` (contract, Callback data). */
export const buttonOf = (verb: string): RegExp => new RegExp(`^${verb}:([\\w-]{1,16})$`)
