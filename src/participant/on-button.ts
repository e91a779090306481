import type { CallbackQueryContext, Composer } from 'grammy'
import type { IncomingContext } from '../dialog/incoming.ts'
import type { Verb } from '../views/buttons.ts'

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
