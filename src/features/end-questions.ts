import { Composer } from 'grammy'
import type { BotContext } from '../chat/context.ts'
import { changeDesk, openDesk } from '../chat/desk.ts'
import { isOrganizer } from '../chat/organizer.ts'
import { tell } from '../chat/say.ts'
import type { Turn } from '../chat/turn.ts'
import { leaveMobile } from './ask-mobile.ts'

/**
 * Ends what stands beside the dialog and waits for words: a command wins over it, and a button leads elsewhere. Whoever
 * is asked for an external id presses buttons to look it up.
 */
export function endQuestions(): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  composer.on('callback_query', ({ turn }, next) => {
    leaveMobile(turn)
    return next()
  })
  composer.on('message:text', async ({ turn, msg }, next) => {
    if (!msg.text.startsWith('/')) return next()
    const wasAsked = await isAsked(turn)
    // Only the waiting is left by it.
    if (wasAsked && /^\/cancel(?:@\w+)?$/.test(msg.text.trim())) return tell(turn, 'cancelled')
    await next()
  })
  return composer
}

/** Whether something was asked beside the dialog; it is not any more. */
async function isAsked(turn: Turn): Promise<boolean> {
  const { account } = turn
  const { takesOver } = account
  leaveMobile(turn)
  const asksMobile = takesOver !== account.takesOver
  if (!isOrganizer(turn) || (await openDesk(turn)).asksExternalId === undefined) return asksMobile
  await changeDesk(turn, ({ asksExternalId: _, ...desk }) => desk)
  return true
}
