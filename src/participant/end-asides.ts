import type { Middleware } from 'grammy'
import { asideOf, askedNow, leaveAside } from '../dialog/expected.ts'
import type { IncomingContext } from '../dialog/incoming.ts'
import { sendText } from '../dialog/notify.ts'
import { isOrganizer } from '../dialog/organizer.ts'
import type { UpdateContext } from '../dialog/update-context.ts'

/**
 * Ends what stands beside the dialog and waits for words: a command wins over it (few over a take-over), and a button
 * leads elsewhere. An organizer presses buttons to look up what is asked for.
 */
export const endAsides: Middleware<IncomingContext> = async ({ ctx, message, callbackQuery }, next) => {
  const { account } = ctx
  const { asked } = account
  const ask = asideOf(account)
  if (callbackQuery) leaveAside(ctx)
  const command = message?.text?.startsWith('/') ? message.text.trim() : undefined
  if (command !== undefined && ask) {
    // A look elsewhere does not end that somebody takes over what is theirs; an organizer types what to look for.
    const stays =
      ask === 'known-mobile' && !isOrganizer(ctx) && !/^\/(?:cancel|start(?:@\w+)? )/.test(command)
    if (!stays) delete account.aside
    // Only the waiting is left by it.
    if (/^\/cancel(?:@\w+)?$/.test(command)) return sendText(ctx, 'left-aside')
  }
  const isEnded = ask !== undefined && asideOf(account) === undefined
  await next()
  if (isEnded && account.asked === asked) await askDetailAgain(ctx)
}

/** What is typed from here on is a detail again, for which nothing below may have asked: it is asked for once more. */
async function askDetailAgain(ctx: UpdateContext): Promise<void> {
  if (ctx.due) return
  const now = await askedNow(ctx)
  if (now.is === 'detail' && !now.isCall) ctx.due = { show: 'question', file: now.file }
}
