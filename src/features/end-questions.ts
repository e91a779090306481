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
    const left = await leaveQuestions(turn)
    // Only the waiting is left by it.
    if (left === 'a question' && isCancel(msg.text)) return tell(turn, 'cancelled')
    await next()
  })
  return composer
}

export const isCancel = (text: string): boolean => /^\/cancel(?:@\w+)?$/.test(text.trim())

async function leaveQuestions(turn: Turn): Promise<'a question' | 'nothing'> {
  const { account } = turn
  const { takesOver } = account
  leaveMobile(turn)
  const left = takesOver === account.takesOver ? 'nothing' : 'a question'
  if (!isOrganizer(turn) || (await openDesk(turn)).asksExternalId === undefined) return left
  await changeDesk(turn, ({ asksExternalId: _, ...desk }) => desk)
  return 'a question'
}
