import { type ChatMessage, chatActor } from './background/actors.ts'
import type { JobHandler } from './background/worker.ts'
import type { Bot } from './bot.ts'
import { noteActivity } from './dialog/remind.ts'
import { createTurn, type TurnDeps } from './dialog/turn.ts'
import { takeEvent, takeOutcome } from './features/outcomes.ts'

/** Handles what waits in a chat's queue, one message at a time: updates, outcomes of calls, events of jobs. */
export function createChatHandler({ bot, ...deps }: TurnDeps & { bot: Bot }): JobHandler {
  return async ({ actor, body, work, onConflict }) => {
    const message = body as ChatMessage
    const who = actor.slice(chatActor('').length)
    const turn = await createTurn(deps, { work, who, chatId: message.chatId })
    onConflict(turn.unsay)
    if (message.type === 'update') {
      await bot.handle(message.update, turn)
      await noteActivity(turn)
    } else if (message.type === 'outcome') await takeOutcome(turn, message)
    else await takeEvent(turn, message.s, message.event)
    turn.save()
    return undefined
  }
}
