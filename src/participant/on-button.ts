import type { CallbackQueryContext, Composer } from 'grammy'
import { visibleFile } from '../dialog/files.ts'
import type { IncomingContext } from '../dialog/incoming.ts'
import type { RecordFile } from '../domain/record/record.ts'
import type { Verb } from '../views/verb.ts'

type Tapped = CallbackQueryContext<IncomingContext>

/** Handles the taps of one verb, with what its data says. */
export function onButton<A extends readonly unknown[]>(
  composer: Composer<IncomingContext>,
  verb: Verb<A>,
  handle: (incoming: Tapped, next: () => Promise<void>, ...args: A) => Promise<unknown>,
): void {
  composer.callbackQuery(verb.pattern, async (incoming, next) => {
    const args = verb.read(incoming.callbackQuery.data)
    if (args) await handle(incoming, next, ...args)
    else await next()
  })
}

/** The same with the file that its data names; where that is not found here any more it is an old button. */
export function onFileButton<A extends readonly unknown[]>(
  composer: Composer<IncomingContext>,
  verb: Verb<readonly [s: string, ...args: A]>,
  handle: (incoming: Tapped, file: RecordFile, ...args: A) => Promise<unknown>,
  find = visibleFile,
): void {
  onButton<readonly [s: string, ...args: A]>(composer, verb, async (incoming, next, s, ...args) => {
    const file = await find(incoming.ctx, s)
    await (file ? handle(incoming, file, ...args) : next())
  })
}
