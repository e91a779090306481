import type { Middleware } from 'grammy'
import { asideOf, askedNow, leaveAside } from '../dialog/expected.ts'
import type { IncomingContext } from '../dialog/incoming.ts'
import { isOrganizer } from '../dialog/organizer.ts'
import { sendText } from '../dialog/send.ts'
import type { UpdateContext } from '../dialog/update-context.ts'

/**
 * Ends a question beside the dialog that waits for words: a command ends it (few end a take-over), and so
 * does a button that leads elsewhere. An organizer needs buttons to look up what is asked for.
 */
export const endAsides: Middleware<IncomingContext> = async ({ ctx, message, callbackQuery }, next) => {
  const { account } = ctx
  const { asked } = account
  const ask = asideOf(account)
  if (callbackQuery) leaveAside(ctx)
  const command = message?.text?.startsWith('/') ? message.text.trim() : undefined
  if (command !== undefined && ask) {
    // A look at something else does not end a take-over, except for an organizer, who then types a search.
    const stays =
      ask === 'known-mobile' && !isOrganizer(ctx) && !/^\/(?:cancel|start(?:@\w+)? )/.test(command)
    if (!stays) delete account.aside
    // The command ends only this wait.
    if (/^\/cancel(?:@\w+)?$/.test(command)) return sendText(ctx, 'left-aside')
  }
  const isEnded = ask !== undefined && asideOf(account) === undefined
  await next()
  if (isEnded && account.asked === asked) await askDetailAgain(ctx)
}

/** The next text is a detail again, but other messages may be below its question, so that is asked again. */
async function askDetailAgain(ctx: UpdateContext): Promise<void> {
  if (ctx.due) return
  const now = await askedNow(ctx)
  if (now.is === 'detail' && !now.isCall) ctx.due = { show: 'question', file: now.file }
}
