import type { CallbackQueryContext, Composer, Context } from 'grammy'
import type { RecordFile } from '../domain/record/record.ts'
import { hasButtonOf } from '../telegram/tapped.ts'
import type { Verb } from '../views/buttons.ts'
import { visibleFile } from './files.ts'
import type { UpdateContext } from './update-context.ts'

/** grammY's context of an update, together with our update context. */
export type IncomingContext = Context & {
  ctx: UpdateContext
  /** Answers the tap with a toast or an alert; an unanswered tap is acknowledged at the end. */
  toast(text: string, alert?: boolean): Promise<void>
}

/** The same for a message, a new or an edited one. */
export type IncomingMessage = IncomingContext & { msg: NonNullable<IncomingContext['msg']> }

/** Adds our update context to grammY's context; its `toast` does nothing yet. */
export const withContext = (incoming: Context, ctx: UpdateContext): IncomingContext =>
  Object.assign(incoming, { ctx, toast: async () => undefined })

/** Whether the tapped button is on the message that asked last: buttons without a record id need that. */
export const isOnAsked = ({ callbackQuery, ctx }: IncomingContext): boolean =>
  ctx.account.asked !== undefined && callbackQuery?.message?.message_id === ctx.account.asked

/** The message under the tapped button. If Telegram shows no buttons of it, only a known screen counts. */
export function tappedMessage({ callbackQuery, ctx }: IncomingContext): number | undefined {
  const id = callbackQuery?.message?.message_id
  if (!callbackQuery || id === undefined) return undefined
  const { asked, screens } = ctx.account
  const isKnown = asked === id || Object.values(screens).includes(id)
  return (hasButtonOf(callbackQuery) ?? isKnown) ? id : undefined
}

type Tapped = CallbackQueryContext<IncomingContext>

/** Handles the taps of one verb with its parsed data. */
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

/** The same with the file that the data names; without such a file the button counts as old. */
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
