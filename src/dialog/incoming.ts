import type { CallbackQueryContext, Composer, Context } from 'grammy'
import type { Verb } from '../views/buttons.ts'
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

/** Handles the taps of one verb, with what its data says. */
export function onButton<A extends readonly unknown[]>(
  composer: Composer<IncomingContext>,
  verb: Verb<A>,
  handle: (
    incoming: CallbackQueryContext<IncomingContext>,
    next: () => Promise<void>,
    ...args: NoInfer<A>
  ) => Promise<unknown>,
): void {
  composer.callbackQuery(verb.pattern, async (incoming, next) => {
    const args = verb.read(incoming.callbackQuery.data)
    if (args) await handle(incoming, next, ...args)
    else await next()
  })
}
