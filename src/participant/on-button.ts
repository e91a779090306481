import type { CallbackQueryContext, Composer } from 'grammy'
import type { TurnContext } from '../dialog/context.ts'
import type { Verb } from '../views/buttons.ts'

/** Handles the taps of one verb, with what its data says. */
export function onButton<A extends readonly unknown[]>(
  composer: Composer<TurnContext>,
  verb: Verb<A>,
  handle: (
    ctx: CallbackQueryContext<TurnContext>,
    next: () => Promise<void>,
    ...args: NoInfer<A>
  ) => Promise<unknown>,
): void {
  composer.callbackQuery(verb.pattern, async (ctx, next) => {
    const args = verb.read(ctx.callbackQuery.data)
    if (args) await handle(ctx, next, ...args)
    else await next()
  })
}
