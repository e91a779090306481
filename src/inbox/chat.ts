import { isStillAskedBeside } from '../dialog/expected.ts'
import { waitMeanwhile } from '../dialog/send.ts'
import { type ContextDeps, createContext, type UpdateContext } from '../dialog/update-context.ts'
import { takeEvent, takeOutcome } from '../participant/events.ts'
import { noteActivity } from '../participant/remind.ts'
import { type ChatMessage, chatMail } from '../queue/chat-message.ts'
import { epochOf, type Handler, handler } from '../queue/job.ts'
import { accounts } from '../storage/documents/kinds.ts'
import type { Bot } from './bot.ts'

/** Handles the queue of a chat, one message at a time: updates, outcomes of calls, events of jobs. */
export function createChatHandler({ bot, life, ...deps }: ContextDeps & { bot: Bot; life: string }): Handler {
  return handler(chatMail, async ({ id: who, body: message, onFailedRun, sender = deps.sender, ...task }) => {
    const { work } = task
    // A forgotten account gets nothing of earlier work, only notices that a later message failed.
    const { epoch } = 'event' in message && message.event.kind === 'trouble' ? message.event : {}
    const isOver =
      epoch === undefined
        ? message.type !== 'update' && !(await work.get(accounts, who))
        : epoch !== (await epochOf(work, who))
    if (isOver) return undefined
    const { arrival } = message.type === 'update' ? message : { arrival: undefined }
    const arrivedAt = arrival?.life === life ? arrival.at : undefined
    const ctx = await createContext({ ...deps, sender }, { ...task, who, message, arrivedAt })
    onFailedRun(ctx.unsend)
    try {
      await handleMessage(bot, ctx, message)
      await ctx.concluded()
    } catch (error) {
      // The next run must not meet calls that are still under way.
      await ctx.settled().catch(() => undefined)
      throw error
    }
    return undefined
  })
}

async function handleMessage(bot: Bot, ctx: UpdateContext, message: ChatMessage): Promise<void> {
  if (message.type === 'update') await bot.handle(message.update, ctx)
  else if (message.type === 'outcome') await takeOutcome(ctx, message)
  else await takeEvent(ctx, message.s, message.event)
  if (message.type !== 'update') await waitMeanwhile(ctx, await isStillAskedBeside(ctx))
  await bot.finish(ctx)
  if (message.type === 'update') await noteActivity(ctx)
}
