import type { CallbackQueryContext, Composer, Context } from 'grammy'
import type { RecordFile } from '../domain/record/record.ts'
import { hasButtonOf } from '../telegram/tapped.ts'
import type { Verb } from '../views/buttons.ts'
import { visibleFile } from './files.ts'
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

/** The message under the button that was tapped; without a button of it only one that is known for a screen. */
export function tappedMessage({ callbackQuery, ctx }: IncomingContext): number | undefined {
  const id = callbackQuery?.message?.message_id
  if (!callbackQuery || id === undefined) return undefined
  const { asked, screens } = ctx.account
  const isKnown = asked === id || Object.values(screens).includes(id)
  return (hasButtonOf(callbackQuery) ?? isKnown) ? id : undefined
}

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
